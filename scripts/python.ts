import { spawnSync } from 'node:child_process'

// If PATH has another Python before that of the system, it can lack the modules of Debian's packages.
const names = ['python3', '/usr/bin/python3']

const pythonWith = (...modules: string[]): string | undefined =>
  names.find((name) => spawnSync(name, ['-c', `import ${modules.join(', ')}`]).status === 0)

/** A Python that can build packages without a network; undefined if there is none. */
export const pythonWithPip = (): string | undefined => pythonWith('setuptools', 'wheel', 'pip')

/** A Python with the frameworks that the Python client is tested in; undefined if there is none. */
export const pythonWithFrameworks = (): string | undefined => pythonWith('flask', 'django', 'gunicorn', 'celery')
