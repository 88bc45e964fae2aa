# Writes the page of `graze explain --html` as a C file, with CMake alone:
#
#   cmake -D FOLDER=cli/explain/page -D OUT=page_text.c -P embed.cmake
#
# page.html names, between two @, what stands where: page.css, page.js (all scripts, one after the other) and the story,
# where the text is cut in two. Files are handled as hexadecimal digits, so that no byte of them means anything to CMake.
set(scripts vector.js mesh.js camera.js labels.js view.js gestures.js tale.js world.js difference.js band.js motion.js words.js
  page.js)

# Every script has its place in the list.
file(GLOB found RELATIVE ${FOLDER} ${FOLDER}/*.js)
set(listed ${scripts})
list(SORT found)
list(SORT listed)
if(NOT found STREQUAL listed)
  message(FATAL_ERROR "cmake/embed.cmake lists ${listed}; cli/explain/page/ has ${found}")
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

set(text "/* Made by cmake/embed.cmake from cli/explain/page/. */\n#include \"explain/page.h\"\n\n")
foreach(part head tail)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${${part}}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes
    "${bytes}")
  string(APPEND text "const unsigned char page_${part}[] = {\n${bytes}};\n"
    "const size_t page_${part}_size = sizeof page_${part};\n\n")
endforeach()
file(WRITE ${OUT} "${text}")
