/* `graze explain`: runs queries, and writes how they are answered as text, JSON, pictures and pages. */
#define _POSIX_C_SOURCE 200809L

#include "explain/story.h"
#include "command.h"
#include "model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const cli_option options[] = {
    {"svg", 0, "FILE", "write a picture (2D, one query)"},
    {"html", 0, "FILE", "write a page that shows the query step by step, complete in one file (one query)"},
    {"json", 0, NULL, "print JSON instead of text, one line for each query"},
    {"gallery", 0, "DIR", "write a page and a picture of each query and an index into a folder, and no text"},
};
enum { SVG, HTML, JSON, GALLERY };

const cli_verb cli_explain_verb = {
    "explain",
    "QUERY...",
    "Explains how queries are answered: each iteration of the algorithms, why they stopped, the answer,\n"
    "and its certificate in words. QUERY is a file of query lines, - for standard input, or a query\n"
    "itself, which begins with {.",
    "Queries are those of graze query about two shapes: intersect, distance, penetration, obb,\n"
    "manifold, minkowski, with any method; and the casts shapecast, toi and raycast. They run with\n"
    "\"trace\" and \"proof\". For compounds and meshes, the iterations are those\n"
    "of the deciding pair of parts or faces.\n"
    "A cast is shown as the relative path against the Minkowski difference A - B, with a time bar:\n"
    "what is proved, and the result of discrete sampling at 16 times.\n"
    "\n"
    "exit status:\n"
    "   0  every query was answered\n"
    "   1  some lines were errors, or --svg was given a 3D query\n"
    "   2  usage error, a file that cannot be read, or output that cannot be written\n"
    "\n"
    "a first example:\n"
    "   graze explain --html page.html '{\"query\":\"distance\",\"dim\":2,\n"
    "     \"a\":{\"type\":\"box\",\"half_extents\":[2,1]},\n"
    "     \"b\":{\"type\":\"circle\",\"radius\":1,\"position\":[4,3]}}'\n",
    options,
    sizeof options / sizeof *options,
    NULL,
};

/* The picture and the page are written at the end, when it is known that there is only one query. */
typedef struct explain_run {
  const char *svg, *html, *gallery; /* NULL: none */
  bool json;
  int status;             /* the exit status so far */
  bool unreadable, stuck; /* a file could not be read; output cannot be written */
  bool is_3d;
  size_t queries, stories; /* the lines, and those that are answered */
  cli_buffer buffer;
  cli_text picture, page;
  cli_text index, markdown; /* the entries of the indexes of the gallery */
} explain_run;

/* ---- Files */

/* Writes a whole file. False: an error, reported on standard error. */
static bool output_file(const char *path, const cli_text *text) {
  errno = 0;
  FILE *file = text->failed ? NULL : fopen(path, "wb");
  bool good = file && (text->size == 0 || fwrite(text->data, 1, text->size, file) == text->size);
  if (file && fclose(file) != 0) good = false;
  if (!good) cli_report("cannot write %s: %s", path, text->failed ? "not enough memory" : strerror(errno));
  return good;
}

/* ---- The gallery: a folder with a page and, in 2D, a picture of each story, and two indexes of them */

static bool write_file(const explain_run *run, const char *name, const char *suffix, const cli_text *text) {
  cli_text path = {0};
  emit(&path, "%s/%s%s", run->gallery, name, suffix);
  bool good = output_file(text_string(&path, &path), text);
  cli_text_free(&path);
  return good;
}

static bool gallery_add(explain_run *run, const story *s) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const bool flat = s->dim == 2;
  cli_error error;
  cli_text page = {0}, svg = {0};
  char name[64];
  if (run->stories == 1 && mkdir(run->gallery, 0777) != 0 && errno != EEXIST) {
    cli_report("cannot create the folder %s: %s", run->gallery, strerror(errno));
    return false;
  }
  json_t *line = cli_json_line(s->line, &error); /* it has been read before, so only memory can be missing */
  const char *id = json_string_value(json_object_get(line, "id"));
  const char *title = json_string_value(json_object_get(line, "title"));
  const char *caption = json_string_value(json_object_get(line, "caption"));
  snprintf(name, sizeof name, "query-%zu", run->stories);
  if (id) snprintf(name, sizeof name, "%s", id);
  for (char *c = name; *c; c++)
    if (!strchr(plain, *c)) *c = '-';
  if (title == NULL) title = name;
  if (caption == NULL) caption = "";
  /* Markdown has no links to pages, because it is read where pages are not built. */
  emit(&run->index, "<h2>%h</h2>\n<p>%h <a href=\"%s.html\">Step by step</a></p>\n", title, caption, name);
  emit(&run->markdown, "\n## %s\n\n%s\n", title, caption);
  if (flat)
    emit(&run->index, "<p><a href=\"%s.html\"><img src=\"%s.svg\" width=\"720\" alt=\"%h\"></a></p>\n", name, name,
         caption);
  emit(&run->markdown,
       flat ? "\n<img src=\"%s.svg\" width=\"720\" alt=\"%h\">\n"
            : "\n3D: see the page `%s.html` of the built gallery.\n",
       name, caption);
  json_decref(line);
  story_print_html(&page, s);
  if (flat) story_print_svg(&svg, s);
  bool good = write_file(run, name, ".html", &page) && (!flat || write_file(run, name, ".svg", &svg));
  cli_text_free(&page);
  cli_text_free(&svg);
  return good;
}

static bool gallery_finish(explain_run *run) {
  cli_text html = {0}, markdown = {0};
  emit(&html,
       "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
       "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Gallery of graze explain</title>\n"
       "<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 45rem; margin: 2rem auto; padding: 0 1rem; }\n"
       "img { max-width: 100%%; height: auto; }</style>\n<h1>Gallery of graze explain</h1>\n%t</html>\n",
       &run->index);
  emit(&markdown,
       "# Gallery of `graze explain`\n\n`make gallery` builds it in build/gallery: the pictures below, a page "
       "of each query that shows it step by step, and an index of the pages, build/gallery/index.html. Each page is "
       "complete in one file. The queries are in [queries.jsonl](queries.jsonl).\n%t",
       &run->markdown);
  bool good = write_file(run, "index", ".html", &html) && write_file(run, "README", ".md", &markdown);
  cli_text_free(&html);
  cli_text_free(&markdown);
  return good;
}

/* ---- The command */

/* Shows an answered query in every requested form. False: out of memory. */
static bool show(explain_run *run, const story *s) {
  run->stories++;
  run->is_3d = s->dim != 2;
  if (run->gallery) {
    if (!gallery_add(run, s)) run->stuck = true;
    return true;
  }
  if (run->svg && run->queries == 1 && s->dim == 2) story_print_svg(&run->picture, s);
  if (run->html && run->queries == 1) story_print_html(&run->page, s);
  cli_text text = {0};
  if (!run->json && run->queries > 1) cli_text_str(&text, "\n");
  (run->json ? story_print_json : story_print_text)(&text, s);
  if (run->json) cli_text_str(&text, "\n");
  const bool good = !text.failed;
  if (!cli_write_text(&text) && good) run->stuck = true;
  return good;
}

static void explain_line(explain_run *run, const char *name, const cli_line *line) {
  cli_request request;
  cli_error error;
  story s;
  run->queries++;
  bool read = cli_request_read(line, &request, &error), good = false;
  if (read && story_make(&request, line->text, &run->buffer, &s, &error)) {
    good = show(run, &s) || cli_reject_memory(&error);
    story_free(&s);
  }
  if (!good && run->status == CLI_EXIT_OK) run->status = CLI_EXIT_ERRORS;
  if (!good && run->json) {
    cli_text text = {0};
    cli_print_error(&text, request.id, line->number, &error);
    if (!cli_write_text(&text)) run->stuck = true;
  } else if (!good) {
    cli_report("%s, line %zu: %s: %s", name, line->number, cli_error_code_text(error.code), error.message);
  }
  if (read) cli_request_free(&request);
}

static void explain_operand(explain_run *run, const char *operand) {
  cli_lines lines;
  cli_models models = {.name = "-"};
  cli_line line = {{operand, strlen(operand)}, 1, strlen(operand) > CLI_MAX_LINE, &models};
  if (operand[strspn(operand, " \t\r\n")] == '{') {
    explain_line(run, "the query", &line);
    cli_models_free(&models);
    return;
  }
  run->unreadable = !cli_lines_open(&lines, operand) || run->unreadable;
  do {
    while (!run->stuck && cli_lines_next(&lines, &line)) explain_line(run, operand, &line);
  } while (!run->stuck && lines.fd >= 0 && cli_lines_more(&lines, &run->unreadable));
  cli_lines_close(&lines);
}

/* Returns the exit status. A picture and a page show one query. */
static int write_files(explain_run *run, cli_output outputs[2], const cli_arguments *arguments) {
  const char *option = run->svg ? "svg" : "html", *to = run->svg ? run->svg : run->html, *name = arguments->operands[0];
  if (to && run->queries == 0) cli_report("explain: there is no query to write --%s for", option);
  if (to && run->queries > 1) {
    bool is_file = arguments->operand_count == 1 && name[0] != '{' && strcmp(name, "-") != 0;
    cli_report("explain: --%s shows one query, but there are %zu; select one, for example the second: sed -n 2p %s | "
               "graze explain --%s %s -",
               option, run->queries, is_file ? name : "FILE", option, to);
  }
  if (to && run->queries != 1) return CLI_EXIT_FAILED;
  if (!to || run->stories == 0) return run->status;
  bool no_picture = run->svg && run->is_3d;
  if (no_picture) cli_report("explain: no picture: --svg shows 2D queries only; --html shows 3D");
  if (run->svg && !no_picture && !cli_output_write(&outputs[SVG], &run->picture)) return CLI_EXIT_FAILED;
  if (run->html && !cli_output_write(&outputs[HTML], &run->page)) return CLI_EXIT_FAILED;
  return no_picture ? CLI_EXIT_ERRORS : run->status;
}

int cli_explain_main(const cli_arguments *arguments) {
  const char *svg = arguments->values[SVG], *html = arguments->values[HTML], *error = NULL;
  if (arguments->operand_count == 0)
    error = "no query: give a file, - for standard input, or {…}";
  else if (arguments->values[GALLERY] && (svg || html || arguments->values[JSON]))
    error = "--gallery excludes --svg, --html and --json";
  else if ((svg && strcmp(svg, "-") == 0) || (html && strcmp(html, "-") == 0))
    error = "--svg and --html write into a file; standard output is for the text";
  if (error) return cli_usage_error(&cli_explain_verb, "explain: %s", error);
  explain_run run = {.svg = svg, .html = html, .json = arguments->values[JSON], .gallery = arguments->values[GALLERY]};
  const char *input = arguments->operands[0];
  cli_output outputs[] = {[SVG] = {.option = "--svg", .name = svg}, [HTML] = {.option = "--html", .name = html}};
  if (!cli_outputs_open(outputs, 2, "explain", input[0] == '{' ? NULL : input)) return CLI_EXIT_FAILED;
  for (int i = 0; !run.stuck && i < arguments->operand_count; i++) explain_operand(&run, arguments->operands[i]);
  bool failed = run.stuck || run.unreadable || (run.gallery && !gallery_finish(&run));
  int status = failed ? CLI_EXIT_FAILED : write_files(&run, outputs, arguments);
  cli_outputs_close(outputs, 2);
  cli_text *texts[] = {&run.picture, &run.page, &run.index, &run.markdown};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) cli_text_free(texts[i]);
  cli_buffer_free(&run.buffer);
  return cli_finish_output() ? status : CLI_EXIT_FAILED;
}
