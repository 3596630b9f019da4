# What speeds the build up where it is there: ccache, and mold (g++ 12 is the first that knows it).
find_program(CCACHE ccache)
if(CCACHE)
  # The sloppiness is what ccache asks for with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD AND NOT CMAKE_CROSSCOMPILING AND CMAKE_CXX_COMPILER_ID STREQUAL GNU
   AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  add_link_options(-fuse-ld=mold)
endif()

if(EMBER_SANITIZE)
  add_compile_options(-fsanitize=${EMBER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${EMBER_SANITIZE})
elseif(NOT CMAKE_CROSSCOMPILING)
  set(EMBER_ALL_DEFINED -Wl,-z,defs)  # a symbol nobody defines is an error when a library is linked, not when it is opened
endif()

# Highway, zlib and the JSON library for another machine: their headers alone, apart from this machine's other headers. The
# libraries they belong to are the target machine's, so their symbols stay open.
if(CMAKE_CROSSCOMPILING)
  set(headers ${CMAKE_BINARY_DIR}/host-headers)
  file(MAKE_DIRECTORY ${headers})
  foreach(name hwy nlohmann zlib.h zconf.h)
    file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
  endforeach()
  foreach(target ZLIB::ZLIB hwy::hwy nlohmann_json::nlohmann_json)
    add_library(${target} INTERFACE IMPORTED)
    target_include_directories(${target} INTERFACE ${headers})
  endforeach()
endif()
