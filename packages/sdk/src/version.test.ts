import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { sdkVersion } from './version.ts'

it('is the version of the package', () => {
  expect(sdkVersion).toBe(manifest.version)
})
