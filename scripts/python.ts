import { spawnSync } from 'node:child_process'

// Another Python before that of the system in PATH need not have them.
const names = ['python3', '/usr/bin/python3']

/** A Python that can build packages without a network; undefined if there is none. */
export const pythonWithPip = (): string | undefined =>
  names.find((name) => spawnSync(name, ['-c', 'import setuptools, wheel, pip']).status === 0)
