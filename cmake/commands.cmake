# The two commands. `graze` is linked with the whole library, `graze-verify` only with the verifier. Both use the archive
# graze_command and link only the objects they call, so graze-verify does not link if it calls a solver.
graze_find_c_library(jansson jansson.h jansson libjansson-dev)
set(GRAZE_ASSIMP AUTO CACHE STRING "Read model files with Assimp: AUTO (if it is found), ON or OFF")
if(GRAZE_ASSIMP)
  graze_find_c_library(assimp assimp/cimport.h assimp libassimp-dev)
  if(NOT TARGET assimp AND NOT GRAZE_ASSIMP STREQUAL "AUTO")
    message(FATAL_ERROR "GRAZE_ASSIMP is ON, but Assimp is not found")
  endif()
endif()
find_package(Threads)
if(NOT TARGET jansson OR NOT Threads_FOUND)
  message(STATUS "The commands graze and graze-verify are left out: they need jansson and threads")
  return()
endif()

file(GLOB_RECURSE shared_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c)
set(graze_main ${PROJECT_SOURCE_DIR}/cli/main.c)
set(verify_main ${PROJECT_SOURCE_DIR}/cli/verify_main.c)
list(REMOVE_ITEM shared_sources ${graze_main} ${verify_main})
if(NOT EXISTS ${graze_main})
  return()
endif()

# The pages of `graze explain --html` and `graze simulate --html`, as byte arrays. A page may contain scripts of the other.
file(GLOB page_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*/page/*)
function(graze_page folder name)
  set(text ${PROJECT_BINARY_DIR}/${folder}/page_text.c)
  add_custom_command(OUTPUT ${text}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${PROJECT_SOURCE_DIR}/cli/${folder}/page -D HEADER=text.h -D NAME=${name}
      -D OUT=${text} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${page_files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding the page of graze ${folder}" VERBATIM)
  list(APPEND page_texts ${text})
  set(page_texts ${page_texts} PARENT_SCOPE)
endfunction()
graze_page(explain page)
graze_page(simulate player)

add_library(graze_command STATIC ${shared_sources} ${page_texts})
graze_compile(graze_command)
target_include_directories(graze_command PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/cli)
target_link_libraries(graze_command PUBLIC jansson Threads::Threads $<$<BOOL:${UNIX}>:m>)
if(GRAZE_ASSIMP AND TARGET assimp)
  target_link_libraries(graze_command PRIVATE assimp)
  target_compile_definitions(graze_command PRIVATE GRAZE_ASSIMP)
endif()
set_target_properties(graze_command PROPERTIES LINKER_LANGUAGE C)

function(graze_command name main library)
  add_executable(${name} ${main})
  graze_compile(${name})
  target_link_libraries(${name} PRIVATE graze_command ${library})
endfunction()

graze_command(graze-command ${graze_main} graze_compare_static)
set_target_properties(graze-command PROPERTIES OUTPUT_NAME graze)
graze_command(graze-verify ${verify_main} graze_verify_static)
