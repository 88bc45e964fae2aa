/* The declarations of jansson in the sources of the command. Explanations read no JSON, so the library is not linked.
 */
#ifndef GRAZE_PYTHON_JANSSON_H
#define GRAZE_PYTHON_JANSSON_H

typedef struct json_t json_t;

json_t *json_object_get(const json_t *object, const char *key);
const char *json_string_value(const json_t *string);
void json_decref(json_t *value);

#endif
