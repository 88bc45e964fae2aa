# Packs what a release would contain to build the libraries; forgets what was fetched from an earlier one.
file(REMOVE_RECURSE ${FETCHED})
execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf ${TARBALL} CMakeLists.txt LICENSE cmake include src
  COMMAND_ERROR_IS_FATAL ANY)
