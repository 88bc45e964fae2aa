# The peers of `queries`: Rapier, Jolt (also a peer of `bench` and `meshes`) and Box2D v3. Cargo fetches all of them:
# rapier/Cargo.lock pins the crates. The crates of Jolt and Box2D carry the sources in C++ and C, which are built here.
rust_peer_library(rapier)

if(rapier_built)
  program_peer(queries rapier queries_rapier.c LINK ${rapier_built} pthread dl m)
  add_dependencies(queries rapier_library)

  # The folders of the fetched crates.
  execute_process(COMMAND ${CARGO} metadata --locked --quiet --all-features --format-version 1
      --manifest-path ${CMAKE_CURRENT_LIST_DIR}/rapier/Cargo.toml OUTPUT_VARIABLE crates ERROR_QUIET)
  foreach(crate joltc-sys boxdd-sys)
    set(${crate}_folder "")
    if(crates MATCHES "\"manifest_path\":\"([^\"]*/${crate}-[^/\"]*)/Cargo.toml\"")
      set(${crate}_folder ${CMAKE_MATCH_1})
    endif()
  endforeach()

  set(jolt ${joltc-sys_folder}/JoltC/JoltPhysics)
  if(EXISTS ${jolt}/Build/CMakeLists.txt)
    foreach(option ENABLE_ALL_WARNINGS INTERPROCEDURAL_OPTIMIZATION GENERATE_DEBUG_SYMBOLS FLOATING_POINT_EXCEPTIONS_ENABLED
        DEBUG_RENDERER_IN_DEBUG_AND_RELEASE PROFILER_IN_DEBUG_AND_RELEASE)
      set(${option} OFF CACHE INTERNAL "of Jolt")
    endforeach()
    add_subdirectory(${jolt}/Build jolt EXCLUDE_FROM_ALL)
    set_target_properties(Jolt PROPERTIES
      INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "$<TARGET_PROPERTY:Jolt,INTERFACE_INCLUDE_DIRECTORIES>")
    program_peer(queries jolt queries_jolt.cpp)
    program_peer(meshes jolt meshes_jolt.cpp)
    bench_peer(jolt jolt.cpp)
    # Not linked by the programs themselves, which must not have its compile options for AVX2.
    foreach(peer peer_queries_jolt peer_meshes_jolt peer_jolt)
      target_link_libraries(${peer} PRIVATE Jolt)
    endforeach()
  endif()

  set(box2d ${boxdd-sys_folder}/third-party/box2d)
  if(EXISTS ${box2d}/include/box2d/box2d.h)
    file(GLOB box2d_sources ${box2d}/src/*.c)
    add_library(box2d_v3 STATIC EXCLUDE_FROM_ALL ${box2d_sources})
    set_target_properties(box2d_v3 PROPERTIES C_STANDARD 17)
    target_include_directories(box2d_v3 SYSTEM PUBLIC ${box2d}/include)
    target_link_libraries(box2d_v3 PUBLIC pthread m)
    program_peer(queries box2d queries_box2d.c LINK box2d_v3)
  endif()
endif()
