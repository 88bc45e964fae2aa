/* `graze explain`: tells the story of each question. */
#include "explain/explain.h"
#include "explain/story.h"
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {"svg", 0, "FILE", "write a picture (2D, one question)"},
    {"html", 0, "FILE", "write a page to step through, complete in one file (one question)"},
    {"json", 0, NULL, "print the stories as JSON, one line each, in the place of text"},
    {"gallery", 0, "DIR", "write the pictures and pages of the documents into a folder; takes no question"},
};
enum { SVG, HTML, JSON, GALLERY };

const cli_verb cli_explain_verb = {
    "explain",
    "QUESTION...",
    "Tells how questions are answered: every step of the searches, why they stopped, the answer,\n"
    "and its certificate in words. QUESTION is a file of question lines, - for standard input,\n"
    "or a question itself, which begins with {.",
    "Questions are those of graze query about two shapes: intersect, distance, penetration, obb,\n"
    "manifold, minkowski, by any method. They are asked with \"trace\" and \"proof\". Of compounds\n"
    "the steps are those for the pair of parts that decides. Of shapecast, toi and raycast the\n"
    "story is the relative path against A - B, and a time bar: what is proved, and what 16\n"
    "samples see.\n"
    "\n"
    "exit status:\n"
    "   0  every question was answered\n"
    "   1  some lines were errors, or --svg was given a 3D question\n"
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

/* What has been asked so far. The picture and the page wait until it is clear that there is one question only. */
typedef struct explain_run {
  const char *svg, *html;
  bool json, some_bad, trouble, stuck; /* stuck: output cannot be written */
  bool has_stories, not_flat;          /* there are picture and page to write; it is no 2D question */
  size_t questions;
  cli_buffer room;
  cli_text picture, page;
} explain_run;

bool explain_write(const char *path, const cli_text *text) {
  errno = 0;
  FILE *file = text->failed ? NULL : fopen(path, "wb");
  bool good = file && (text->size == 0 || fwrite(text->data, 1, text->size, file) == text->size);
  if (file && fclose(file) != 0) good = false;
  if (!good) cli_report("cannot write %s: %s", path, text->failed ? "not enough memory" : strerror(errno));
  return good;
}

static void say_bad(explain_run *run, const char *name, cli_span id, size_t line, const cli_error *complaint) {
  cli_text text = {0};
  run->some_bad = true;
  if (run->json) {
    cli_print_error(&text, id, line, complaint);
    if (text.failed || !cli_write(text.data, text.size)) run->stuck = true;
  } else {
    cli_report("%s, line %zu: %s: %s", name, line, cli_error_code_text(complaint->code), complaint->message);
  }
  cli_text_free(&text);
}

static bool show(explain_run *run, const story *s, cli_error *complaint) {
  run->has_stories = true;
  run->not_flat = s->dim != 2;
  if (run->svg && run->questions == 1 && s->dim == 2) story_print_svg(&run->picture, s);
  if (run->html && run->questions == 1) story_print_html(&run->page, s);
  cli_text text = {0};
  if (run->json) {
    story_print_json(&text, s);
    cli_text_str(&text, "\n");
  } else {
    if (run->questions > 1) cli_text_str(&text, "\n");
    story_print_text(&text, s);
  }
  bool good = !text.failed || cli_reject_memory(complaint);
  if (good && !cli_write(text.data, text.size)) run->stuck = true;
  cli_text_free(&text);
  return good;
}

static void explain_line(explain_run *run, const char *name, const cli_line *line) {
  cli_request question;
  cli_error complaint;
  story s;
  run->questions++;
  bool good = cli_request_read(line, &question, &complaint);
  if (good) {
    good = story_make(&question, line->text, &run->room, &s, &complaint);
    if (good) {
      good = show(run, &s, &complaint);
      story_free(&s);
    }
    cli_request_free(&question);
  }
  if (!good) say_bad(run, name, question.id, line->number, &complaint);
}

static void explain_file(explain_run *run, const char *name) {
  cli_lines lines;
  cli_line line;
  if (!cli_lines_open(&lines, name)) {
    run->trouble = true;
    return;
  }
  do {
    while (!run->stuck && cli_lines_next(&lines, &line)) explain_line(run, name, &line);
  } while (!run->stuck && cli_lines_more(&lines, &run->trouble));
  cli_lines_close(&lines);
}

static void explain_operand(explain_run *run, const char *operand) {
  if (operand[strspn(operand, " \t\r\n")] != '{') {
    explain_file(run, operand);
    return;
  }
  const cli_line line = {{operand, strlen(operand)}, 1, strlen(operand) > CLI_MAX_LINE};
  explain_line(run, "the question", &line);
}

static void say_not_one(const explain_run *run, const cli_arguments *arguments) {
  const char *option = run->svg ? "svg" : "html", *to = run->svg ? run->svg : run->html;
  if (run->questions == 0) {
    cli_report("explain: there was no question to write --%s of", option);
    return;
  }
  const char *name = arguments->operands[0];
  bool is_file = arguments->operand_count == 1 && name[0] != '{' && strcmp(name, "-") != 0;
  cli_report("explain: --%s is of one question, and there were %zu; choose one, for instance the second: "
          "sed -n 2p %s | graze explain --%s %s -",
          option, run->questions, is_file ? name : "FILE", option, to);
}

/* A picture and a page are of one question. */
static void write_files(explain_run *run, const cli_arguments *arguments) {
  if (!run->svg && !run->html) return;
  if (run->questions != 1) {
    say_not_one(run, arguments);
    run->trouble = true;
  } else if (run->has_stories) {
    if (run->svg && run->not_flat) {
      cli_report("explain: no picture, --svg is of 2D questions; --html shows 3D");
      run->some_bad = true;
    } else if (run->svg && !explain_write(run->svg, &run->picture)) {
      run->trouble = true;
    }
    if (run->html && !explain_write(run->html, &run->page)) run->trouble = true;
  }
}

static int explain_all(explain_run *run, const cli_arguments *arguments) {
  cli_json_begin();
  for (int i = 0; !run->stuck && i < arguments->operand_count; i++) explain_operand(run, arguments->operands[i]);
  if (!run->stuck && !run->trouble) write_files(run, arguments);
  cli_text_free(&run->picture);
  cli_text_free(&run->page);
  cli_buffer_free(&run->room);
  if (!cli_finish_output() || run->trouble || run->stuck) return CLI_EXIT_FAILED;
  return run->some_bad ? CLI_EXIT_ERRORS : CLI_EXIT_OK;
}

static int usage(const char *problem) {
  cli_report("explain: %s", problem);
  fputs("Try 'graze explain --help'.\n", stderr);
  return CLI_EXIT_FAILED;
}

static bool is_stream(const char *name) { return name && strcmp(name, "-") == 0; }

/* Standard output is for the text. */
static const char *problem_of_files(const char *svg, const char *html) {
  if (is_stream(svg) || is_stream(html))
    return "--svg and --html write into a file; - is none, and the text goes there";
  if (svg && html && strcmp(svg, html) == 0) return "--svg and --html name the same file";
  return NULL;
}

int cli_explain_main(int argc, char **argv) {
  cli_arguments arguments;
  if (!cli_arguments_read(&cli_explain_verb, argc, argv, &arguments)) return CLI_EXIT_FAILED;
  if (arguments.help) return cli_print_help(&cli_explain_verb);
  if (arguments.values[GALLERY]) {
    if (arguments.operand_count > 0 || arguments.values[SVG] || arguments.values[HTML] || arguments.values[JSON])
      return usage("--gallery stands alone: its questions are fixed");
    cli_json_begin();
    return explain_gallery(arguments.values[GALLERY]) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
  }
  if (arguments.operand_count == 0) return usage("a question is missing: a file, - for standard input, or {…}");
  const char *problem = problem_of_files(arguments.values[SVG], arguments.values[HTML]);
  if (problem) return usage(problem);
  explain_run run = {.svg = arguments.values[SVG], .html = arguments.values[HTML], .json = arguments.values[JSON]};
  return explain_all(&run, &arguments);
}
