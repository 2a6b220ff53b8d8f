import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('the printed documents match the code', () => {
  const check = () =>
    execFileSync(process.execPath, ['scripts/documents.ts', '--check'], { encoding: 'utf8', stdio: 'pipe' })
  expect(check).not.toThrow()
})
