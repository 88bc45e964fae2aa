# Properties of the installed library.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(consumers ${CMAKE_CURRENT_SOURCE_DIR}/consumers)
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/prefix)
set(amalgamated ${PROJECT_BINARY_DIR}/amalgamated)
set(tarball ${CMAKE_CURRENT_BINARY_DIR}/graze.tar.gz)

# ---- Symbols
if(CMAKE_NM AND CMAKE_OBJDUMP AND BUILD_SHARED_LIBS AND UNIX AND NOT APPLE)
  graze_test(package/symbols ${Python3_EXECUTABLE} ${here}/symbols.py ${CMAKE_NM} ${CMAKE_OBJDUMP} $<TARGET_FILE:graze>
    $<TARGET_FILE:graze_verify> $<TARGET_FILE:graze_compare> $<TARGET_FILE:graze_static> $<TARGET_FILE:graze_verify_static>
    $<$<TARGET_EXISTS:graze-verify>:$<TARGET_FILE:graze-verify>>)
endif()

# ---- Prepared once for the tests below
graze_test(package/install ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
set_tests_properties(package/install PROPERTIES FIXTURES_SETUP installed)
graze_test(package/files ${Python3_EXECUTABLE} ${here}/files.py ${prefix})
set_tests_properties(package/files PROPERTIES FIXTURES_REQUIRED installed)
graze_test(package/tarball ${CMAKE_COMMAND} -DTARBALL=${tarball} -DFETCHED=${CMAKE_CURRENT_BINARY_DIR}/consumers/fetch_content
  -P ${here}/tarball.cmake)
set_tests_properties(package/tarball PROPERTIES FIXTURES_SETUP tarball)
graze_test(package/amalgamate ${Python3_EXECUTABLE} tools/amalgamate.py ${amalgamated})
set_tests_properties(package/amalgamate PROPERTIES FIXTURES_SETUP amalgamated)

# ---- Consumers: each builds and runs the same program.
# graze_consumer(FOLDER FIXTURE CONFIGURE-OPTION…): a CMake project outside this build.
function(graze_consumer folder fixture)
  set(build ${CMAKE_CURRENT_BINARY_DIR}/consumers/${folder})
  graze_test(consumers/${folder} ${CMAKE_CTEST_COMMAND} --build-and-test ${consumers}/${folder} ${build}
    --build-generator ${CMAKE_GENERATOR} --build-noclean --build-options ${ARGN}
    --test-command ${build}/quickstart)
  if(fixture)
    set_tests_properties(consumers/${folder} PROPERTIES FIXTURES_REQUIRED ${fixture})
  endif()
endfunction()

include(CheckLanguage)
check_language(CXX)
graze_consumer(find_package installed -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER})
if(CMAKE_CXX_COMPILER)
  graze_consumer(add_subdirectory "" -DGRAZE_DIR=${PROJECT_SOURCE_DIR})
  graze_consumer(fetch_content tarball -DGRAZE_TARBALL=${tarball})
endif()

find_program(PKG_CONFIG pkg-config)
mark_as_advanced(PKG_CONFIG)
if(PKG_CONFIG)
  graze_test(consumers/pkg_config sh ${consumers}/pkg_config.sh ${CMAKE_C_COMPILER} ${prefix} ${PROJECT_VERSION})
  set_tests_properties(consumers/pkg_config PROPERTIES FIXTURES_REQUIRED installed)
endif()
graze_test(package/targets ${Python3_EXECUTABLE} ${here}/targets.py ${amalgamated} ${CMAKE_C_COMPILER} ${CMAKE_NM})
graze_test(consumers/amalgamated sh ${consumers}/amalgamated.sh ${CMAKE_C_COMPILER} ${amalgamated})
graze_test(golden ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/golden/run.py ${amalgamated}
  --library $<TARGET_FILE:graze_compare_static>)
set_tests_properties(consumers/amalgamated golden package/targets PROPERTIES FIXTURES_REQUIRED amalgamated)
# These compile the whole library.
foreach(name consumers/add_subdirectory consumers/fetch_content consumers/amalgamated package/targets)
  if(TEST ${name})
    graze_tier(ci ${name})
    set_tests_properties(${name} PROPERTIES COST 1000)
  endif()
endforeach()
