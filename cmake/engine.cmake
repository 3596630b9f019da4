# ember_engine(name [LIBRARIES target...] [SHIP file...] [NEEDS file...]) makes libember_<name>.so from the sources in
# engines/<name>. LIBRARIES are linked; SHIP are shared libraries that are copied to deps/ beside the engine, so that an installed
# Ember does not need the place they came from; NEEDS are opened before the engine, in this order: deps/... beside it, others in
# the package folders that src/engines/vendor.cpp looks through at run time.
function(ember_engine name)
  cmake_parse_arguments(arg "" "" "LIBRARIES;SHIP;NEEDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engines/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  set(target ember_${name})
  add_library(${target} MODULE ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/engines/${name} ${PROJECT_SOURCE_DIR}/src
                                                ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE ember ${arg_LIBRARIES})
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${EMBER_ENGINE_DIR}
    INSTALL_RPATH "$ORIGIN/deps;$ORIGIN/../..")
  install(TARGETS ${target} LIBRARY DESTINATION lib/ember/engines)
  if(arg_NEEDS)
    string(REPLACE ";" "\n" needs "${arg_NEEDS}")
    file(CONFIGURE OUTPUT ${EMBER_ENGINE_DIR}/libember_${name}.needs CONTENT "${needs}\n")
    install(FILES ${EMBER_ENGINE_DIR}/libember_${name}.needs DESTINATION lib/ember/engines)
  endif()
  foreach(file ${arg_SHIP})
    # Under its soname: that is the name the loader asks for.
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${file} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "SONAME +([^\n]+)" _ "${headers}")
    set(shipped ${EMBER_ENGINE_DIR}/deps/${CMAKE_MATCH_1})
    configure_file(${file} ${shipped} COPYONLY)
    install(PROGRAMS ${shipped} DESTINATION lib/ember/engines/deps)
  endforeach()
endfunction()
