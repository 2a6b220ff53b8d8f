import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

// It starts several programs, which take long while others compute.
it('the printed documents match the code', { timeout: 600_000 }, () => {
  const check = () =>
    execFileSync(process.execPath, ['scripts/documents.ts', '--check'], { encoding: 'utf8', stdio: 'pipe' })
  expect(check).not.toThrow()
})
