import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pythonWithFrameworks } from './python.ts'

// Runs the tests of the Python client in Flask, Django and gunicorn.
const python = pythonWithFrameworks()
if (!python) {
  console.error(
    'The tests need a Python with Flask, Django, gunicorn and Celery. Run node scripts/system.ts frameworks.',
  )
  process.exit(1)
}
const { status } = spawnSync(python, ['-m', 'unittest', 'discover', '-t', '.', '-s', 'frameworks'], {
  cwd: join(import.meta.dirname, '../clients/python'),
  env: { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
