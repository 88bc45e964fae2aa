#include "truncated.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- STL: the text ends with a line "endsolid NAME" */

enum { TAIL = 4096, STL_HEADER = 84, STL_FACET = 50 };

static bool stl_is_truncated(FILE *file) {
  char tail[TAIL + 1];
  unsigned char header[STL_HEADER] = {0};
  rewind(file);
  const size_t got = fread(header, 1, sizeof header, file);
  if (fseek(file, 0, SEEK_END) != 0) return false;
  const long size = ftell(file), from = size > TAIL ? size - TAIL : 0;
  const unsigned long facets =
      header[80] | (unsigned long)header[81] << 8 | (unsigned long)header[82] << 16 | (unsigned long)header[83] << 24;
  if (got == sizeof header && (unsigned long)size == STL_HEADER + STL_FACET * facets) return false; /* binary */
  if (memchr(header, 0, got) != NULL || fseek(file, from, SEEK_SET) != 0) return false;
  tail[fread(tail, 1, TAIL, file)] = 0;
  for (const char *c = tail; *c; c++)
    if (strncasecmp(c, "endsolid", 8) == 0) return false;
  return true;
}

/* ---- PLY: a header of elements with properties, then the values of all elements */

enum { PLY_ELEMENTS = 16, PLY_PROPERTIES = 64, PLY_LINE = 512, PLY_WORD = 64, PLY_MOST = 1 << 20 };

typedef struct ply_element {
  unsigned long count;
  int properties;
  bool is_list[PLY_PROPERTIES];
} ply_element;

/* Reads the header of a text file. Returns the number of elements; 0: not a text file, or one with another error. */
static int ply_read_header(FILE *file, ply_element *element) {
  char line[PLY_LINE], word[PLY_WORD], number[PLY_WORD];
  int count = 0;
  bool text = false;
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, "end_header", 10) == 0) return text ? count : 0;
    if (strncmp(line, "format ascii", 12) == 0) text = true;
    if (sscanf(line, "element %63s %63s", word, number) == 2) {
      if (count == PLY_ELEMENTS) return 0;
      errno = 0;
      element[count] = (ply_element){.count = strtoul(number, NULL, 10)};
      if (errno != 0 || number[0] == '-') return 0;
      count++;
    } else if (sscanf(line, "property %63s", word) == 1) {
      if (count == 0 || element[count - 1].properties == PLY_PROPERTIES) return 0;
      ply_element *last = &element[count - 1];
      last->is_list[last->properties++] = strcmp(word, "list") == 0;
    }
  }
  return 0;
}

/* Reads one value, or a list with its length before it. Returns false at the end of the file. */
static bool ply_read_property(FILE *file, bool is_list, bool *good) {
  char word[PLY_WORD];
  if (fscanf(file, "%63s", word) != 1) return false;
  if (!is_list) return true;
  const long length = strtol(word, NULL, 10);
  *good = length >= 0 && length <= PLY_MOST;
  for (long i = 0; *good && i < length; i++)
    if (fscanf(file, "%63s", word) != 1) return false;
  return true;
}

static bool ply_is_truncated(FILE *file) {
  ply_element element[PLY_ELEMENTS];
  rewind(file);
  const int count = ply_read_header(file, element);
  bool good = true;
  for (int i = 0; i < count; i++)
    for (unsigned long k = 0; k < element[i].count && element[i].properties > 0; k++)
      for (int j = 0; j < element[i].properties; j++) {
        if (!ply_read_property(file, element[i].is_list[j], &good)) return true;
        if (!good) return false;
      }
  return false;
}

bool cli_is_truncated(FILE *file) {
  char start[6] = "";
  rewind(file);
  if (fread(start, 1, 5, file) < 4) return false;
  if (strncasecmp(start, "solid", 5) == 0) return stl_is_truncated(file);
  return strncmp(start, "ply\n", 4) == 0 || strncmp(start, "ply\r", 4) == 0 ? ply_is_truncated(file) : false;
}
