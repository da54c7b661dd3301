// The client takes what a test runner prints for no failure of a program; its own tests are about programs.
process.argv[1] = import.meta.filename;
