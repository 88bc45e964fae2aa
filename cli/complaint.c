#include "complaint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *cli_error_code_text(cli_code code) {
  switch (code) {
  case CLI_FINE: return "fine";
  case CLI_BAD_JSON: return "bad_json";
  case CLI_UNKNOWN_QUERY: return "unknown_query";
  case CLI_UNKNOWN_SHAPE: return "unknown_shape";
  case CLI_UNKNOWN_KEY: return "unknown_key";
  case CLI_MISSING: return "missing";
  case CLI_BAD_NUMBER: return "bad_number";
  case CLI_BAD_SHAPE: return "bad_shape";
  case CLI_NOT_CONVEX: return "not_convex";
  case CLI_NOT_SIMPLE: return "not_simple";
  case CLI_DIM_MISMATCH: return "dim_mismatch";
  case CLI_UNSUPPORTED: return "unsupported";
  case CLI_OUT_OF_MEMORY: return "out_of_memory";
  }
  return "bad_json";
}

void cli_cut(char *string, unsigned size) {
  if (strlen(string) < size) return;
  unsigned end = size - 1;
  while (end > 0 && ((unsigned char)string[end] & 0xC0) == 0x80) end--;
  string[end] = '\0';
}

bool cli_reject(cli_error *complaint, cli_code code, const char *format, ...) {
  char message[sizeof complaint->message + 8];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  cli_cut(message, sizeof complaint->message);
  complaint->code = code;
  memcpy(complaint->message, message, strlen(message) + 1);
  return false;
}

bool cli_reject_memory(cli_error *complaint) {
  return cli_reject(complaint, CLI_OUT_OF_MEMORY, "not enough memory for this line");
}
