# How every source of Graze is compiled, and how its libraries are made.

# The floating-point options are part of the code: with them an answer has the same bits from every compiler. They stand
# after the caller's own CMAKE_C_FLAGS, so a -ffast-math there does no harm here.
set(graze_float_options "")
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  set(graze_float_options -fno-fast-math -ffp-contract=off -fno-math-errno)
endif()

# GCC copies and clears large structures by instructions that are slow to start (`rep movs`, `rep stos`). Loops over SSE
# registers are faster: docs/decisions/speed.md, "Copies".
set(graze_copy_options "")
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(loops vector_loop:1024:noalign,libcall:-1:noalign)
  set(graze_copy_options -mmemcpy-strategy=${loops} -mmemset-strategy=${loops})
endif()

set(graze_warnings "")
if(PROJECT_IS_TOP_LEVEL AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  set(graze_warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes)
  if(GRAZE_WERROR)
    list(APPEND graze_warnings -Werror)
  endif()
endif()

# graze_compile(TARGET): C17, our warnings, hidden symbols.
function(graze_compile target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
    C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE ${graze_float_options} ${graze_copy_options} ${graze_warnings})
endfunction()

# graze_objects(NAME SOURCE...): compiled once, put into several libraries.
function(graze_objects name)
  add_library(${name} OBJECT ${ARGN})
  graze_compile(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${name} PRIVATE GRAZE_BUILDING)
  if(WIN32 AND BUILD_SHARED_LIBS)
    target_compile_definitions(${name} PRIVATE GRAZE_SHARED)
  endif()
endfunction()

# graze_library(NAME EXPORT_NAME E OBJECTS O... LINK FLAG...): target NAME, called graze::E, follows BUILD_SHARED_LIBS;
# graze::E_static is the static library in either case. LINK: what the linker needs, as it is written.
function(graze_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPORT_NAME" "OBJECTS;LINK")
  set(contents "")
  foreach(object IN LISTS arg_OBJECTS)
    list(APPEND contents $<TARGET_OBJECTS:${object}>)
  endforeach()
  set(made ${name})
  add_library(${name} ${contents})
  add_library(graze::${arg_EXPORT_NAME} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${arg_EXPORT_NAME})
  if(BUILD_SHARED_LIBS)
    # Before 1.0 each minor version may change the ABI.
    set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    if(WIN32)
      target_compile_definitions(${name} INTERFACE GRAZE_SHARED)
    elseif(PROJECT_IS_TOP_LEVEL AND NOT APPLE AND NOT GRAZE_SANITIZE AND NOT GRAZE_FUZZ)
      target_link_options(${name} PRIVATE LINKER:--no-undefined)
    endif()
    add_library(${name}_static STATIC ${contents})
    set_target_properties(${name}_static PROPERTIES EXPORT_NAME ${arg_EXPORT_NAME}_static)
    if(NOT MSVC) # there the import library has this name
      set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name})
    endif()
    add_library(graze::${arg_EXPORT_NAME}_static ALIAS ${name}_static)
    list(APPEND made ${name}_static)
  else()
    add_library(graze::${arg_EXPORT_NAME}_static ALIAS ${name})
    add_library(${name}_static ALIAS ${name})
  endif()
  foreach(library IN LISTS made)
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(${library} PRIVATE ${arg_LINK})
    target_include_directories(${library} INTERFACE
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endforeach()
  set_property(GLOBAL APPEND PROPERTY graze_libraries ${made})
endfunction()

# graze_find_c_library(NAME HEADER LIBRARY PACKAGE): the interface target NAME, or a line that says what to install.
# The libraries around Graze come with a header and a library wherever they come from; not all come with more.
function(graze_find_c_library name header library package)
  if(TARGET ${name})
    return()
  endif()
  find_path(${name}_INCLUDE_DIR ${header})
  find_library(${name}_LIBRARY ${library})
  mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
  if(${name}_INCLUDE_DIR AND ${name}_LIBRARY)
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${name} INTERFACE ${${name}_INCLUDE_DIR})
    target_link_libraries(${name} INTERFACE ${${name}_LIBRARY})
  else()
    message(STATUS "${name} not found (Debian: apt-get install ${package})")
  endif()
endfunction()
