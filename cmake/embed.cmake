# Writes a page of the command as a C file, with CMake alone:
#
#   cmake -D FOLDER=cli/explain/page -D HEADER=text.h -D NAME=page -D OUT=page_text.c -P embed.cmake
#
# page.html names, between two @, what stands where: page.css, page.js (all scripts that scripts.txt lists, one after the
# other) and the story, where the text is cut in two: NAME_head and NAME_tail. A style sheet of pictures, picture.css, becomes
# NAME_picture. Files are handled as hexadecimal digits, so that no byte of them means anything to CMake.
file(STRINGS ${FOLDER}/scripts.txt scripts)

# Every script has its place in the list; those of another folder are shared.
file(GLOB found RELATIVE ${FOLDER} ${FOLDER}/*.js)
set(own ${scripts})
list(FILTER own EXCLUDE REGEX "/")
list(SORT found)
list(SORT own)
if(NOT found STREQUAL own)
  message(FATAL_ERROR "${FOLDER}/scripts.txt lists ${own}; the folder has ${found}")
endif()

# Two digits a byte.
function(read_hex out)
  set(all "")
  foreach(name IN LISTS ARGN)
    file(READ ${FOLDER}/${name} digits HEX)
    string(APPEND all "${digits}")
  endforeach()
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

function(mark_hex name out)
  string(HEX "@${name}@" digits)
  set(${out} "${digits}" PARENT_SCOPE)
endfunction()

read_hex(page page.html)
read_hex(style page.css)
read_hex(script ${scripts})
mark_hex(page.css style_mark)
mark_hex(page.js script_mark)
mark_hex(story story_mark)
string(REPLACE "${style_mark}" "${style}" page "${page}")
string(REPLACE "${script_mark}" "${script}" page "${page}")
string(FIND "${page}" "${story_mark}" cut)
string(LENGTH "${story_mark}" mark_length)
math(EXPR rest "${cut} + ${mark_length}")
string(SUBSTRING "${page}" 0 ${cut} head)
string(SUBSTRING "${page}" ${rest} -1 tail)
set(parts head tail)
if(EXISTS ${FOLDER}/picture.css)
  read_hex(picture picture.css)
  list(APPEND parts picture)
endif()

string(REGEX REPLACE ".*/(cli/.*)" "\\1" shown ${FOLDER})
set(text "/* Made by cmake/embed.cmake from ${shown}/. */\n#include \"${HEADER}\"\n\n")
foreach(part IN LISTS parts)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${${part}}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes
    "${bytes}")
  string(APPEND text "const unsigned char ${NAME}_${part}[] = {\n${bytes}};\n"
    "const size_t ${NAME}_${part}_size = sizeof ${NAME}_${part};\n\n")
endforeach()
file(WRITE ${OUT} "${text}")
