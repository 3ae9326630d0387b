/* A library that is not a plugin. */
__attribute__((visibility("default"))) int qconform_not_a_backend(void) { return 0; }
