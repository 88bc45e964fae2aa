# cmake --install: headers, libraries, CMake package, pkg-config files, commands, manual page, documents, licence.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY graze_libraries)
install(TARGETS ${libraries} EXPORT graze)
install(DIRECTORY include/graze DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE LIMITS.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The help, the manual page, the headers and these documents name these files by their paths in this folder.
install(DIRECTORY docs/guide docs/theory docs/decisions docs/gallery docs/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES docs/benchmarks.md docs/glossary.md docs/measurements.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN lua EXCLUDE)

# All that is installed, without tests and Lua modules.
add_custom_target(graze-product)
add_dependencies(graze-product ${libraries})
foreach(command graze-command graze-verify)
  if(TARGET ${command})
    add_dependencies(graze-product ${command})
    install(TARGETS ${command} DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
file(GLOB manual_pages CONFIGURE_DEPENDS docs/man/*.1)
install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
configure_package_config_file(cmake/graze-config.cmake.in ${PROJECT_BINARY_DIR}/cmake/graze-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# While the major version is 0, a minor version may break.
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/graze-config-version.cmake
  COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/cmake/graze-config.cmake ${PROJECT_BINARY_DIR}/cmake/graze-config-version.cmake
  DESTINATION ${package_dir})
install(EXPORT graze NAMESPACE graze:: FILE graze-targets.cmake DESTINATION ${package_dir})

# The .pc files find the prefix from their own place, so that an installed tree can be moved.
# `private`: what else a static library needs.
function(graze_pkg_config name description private)
  cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR fixed)
  if(fixed)
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  else()
    cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
      BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE up)
    set(pc_prefix "\${pcfiledir}/${up}")
  endif()
  set(prefix_variable "\${prefix}")
  foreach(kind LIB INCLUDE)
    cmake_path(APPEND prefix_variable ${CMAKE_INSTALL_${kind}DIR} OUTPUT_VARIABLE pc_${kind})
  endforeach()
  set(pc_name ${name})
  set(pc_description ${description})
  set(pc_private "")
  if(private)
    set(pc_private "Libs.private: ${private}\n")
  endif()
  configure_file(cmake/library.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
graze_pkg_config(graze "${PROJECT_DESCRIPTION}" "${CMAKE_THREAD_LIBS_INIT}")
graze_pkg_config(graze_verify "The verifier of Graze's certificates, without any solver" "")
graze_pkg_config(graze_compare "Graze with slower and older algorithms to compare with (instead of graze)"
  "${CMAKE_THREAD_LIBS_INIT}")
