/* The type of jansson in the headers of the command. Explanations read no JSON, so the library is not linked. */
#ifndef GRAZE_PYTHON_JANSSON_H
#define GRAZE_PYTHON_JANSSON_H

typedef struct json_t json_t;

#endif
