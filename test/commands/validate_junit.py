"""Prints what of a JUnit report is against a schema: `validate_junit.py SCHEMA REPORT`. Run by require.test.ts."""

import sys

import xmlschema

for problem in xmlschema.XMLSchema(sys.argv[1]).iter_errors(sys.argv[2]):
    print(problem.path, problem.reason)
