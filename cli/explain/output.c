/* The files that `graze explain` writes. */
#define _POSIX_C_SOURCE 200809L

#include "explain/output.h"

#include "explain/format.h"
#include "explain/page.h"
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void story_print_html(cli_text *out, const story *s) {
  cli_text json = {0};
  story_print_json(&json, s);
  cli_text_bytes(out, (const char *)page_head, page_head_size);
  cli_text_script(out, &json);
  cli_text_bytes(out, (const char *)page_tail, page_tail_size);
  cli_text_free(&json);
}

bool output_file(const char *path, const cli_text *text) {
  errno = 0;
  FILE *file = text->failed ? NULL : fopen(path, "wb");
  bool good = file && (text->size == 0 || fwrite(text->data, 1, text->size, file) == text->size);
  if (file && fclose(file) != 0) good = false;
  if (!good) cli_report("cannot write %s: %s", path, text->failed ? "not enough memory" : strerror(errno));
  return good;
}

/* ---- The gallery */

static bool write_file(const gallery *g, const char *name, const char *suffix, const cli_text *text) {
  cli_text path = {0};
  emit(&path, "%s/%s%s", g->folder, name, suffix);
  bool good = output_file(text_string(&path, &path), text);
  cli_text_free(&path);
  return good;
}

/* The string of a key of the query line, or the default. */
static const char *string_of(const json_t *line, const char *key, const char *otherwise) {
  const char *value = json_string_value(json_object_get(line, key));
  return value ? value : otherwise;
}

/* The entries of both indexes, without links to pages in the Markdown, which is read where pages are not built. */
static void add_entry(gallery *g, const char *name, const char *title, const char *caption, bool picture) {
  emit(&g->html, "<h2>%h</h2>\n<p>%h <a href=\"%s.html\">Step by step</a></p>\n", title, caption, name);
  emit(&g->markdown, "\n## %s\n\n%s\n", title, caption);
  if (picture) {
    emit(&g->html, "<p><a href=\"%s.html\"><img src=\"%s.svg\" width=\"720\" alt=\"%h\"></a></p>\n", name, name,
         caption);
    emit(&g->markdown, "\n<img src=\"%s.svg\" width=\"720\" alt=\"%h\">\n", name, caption);
  } else {
    emit(&g->markdown, "\n3D: see the page `%s.html` of the built gallery.\n", name);
  }
}

bool gallery_add(gallery *g, const story *s) {
  cli_error error;
  cli_text page = {0}, picture = {0};
  char name[64], number[32];
  if (g->count == 0 && mkdir(g->folder, 0777) != 0 && errno != EEXIST) {
    cli_report("cannot create the folder %s: %s", g->folder, strerror(errno));
    return false;
  }
  json_t *line = cli_json_line(s->line, &error); /* it has been read before, so only memory can be missing */
  snprintf(number, sizeof number, "query-%zu", ++g->count);
  snprintf(name, sizeof name, "%s", string_of(line, "id", number));
  for (char *c = name; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *c)) *c = '-';
  add_entry(g, name, string_of(line, "title", name), string_of(line, "caption", ""), s->dim == 2);
  json_decref(line);
  story_print_html(&page, s);
  if (s->dim == 2) story_print_svg(&picture, s);
  bool good = write_file(g, name, ".html", &page) && (s->dim != 2 || write_file(g, name, ".svg", &picture));
  cli_text_free(&page);
  cli_text_free(&picture);
  return good;
}

bool gallery_finish(gallery *g) {
  cli_text html = {0}, markdown = {0};
  emit(&html,
       "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
       "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Gallery of graze explain</title>\n"
       "<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 45rem; margin: 2rem auto; padding: 0 1rem; }\n"
       "img { max-width: 100%%; height: auto; }</style>\n<h1>Gallery of graze explain</h1>\n%t</html>\n",
       &g->html);
  emit(&markdown,
       "# Gallery of `graze explain`\n\n`make gallery` builds it in build/gallery: the pictures below, a page "
       "of each query that shows it step by step, and an index of the pages, build/gallery/index.html. Each page is "
       "complete in one file. The queries are in [queries.jsonl](queries.jsonl).\n%t",
       &g->markdown);
  bool good = write_file(g, "index", ".html", &html) && write_file(g, "README", ".md", &markdown);
  cli_text_free(&html);
  cli_text_free(&markdown);
  return good;
}

void gallery_free(gallery *g) {
  cli_text_free(&g->html);
  cli_text_free(&g->markdown);
}
