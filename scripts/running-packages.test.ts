import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { type Lock, locked, runningPackages } from './running-packages.ts'

const lock: Lock = {
  'packages/server': { dependencies: { pg: '1', '@svc/core': '1', odd: '1' }, optionalDependencies: { fast: '1' } },
  'packages/core': { dependencies: { '@scope/deep': '1' } },
  'node_modules/@svc/core': { link: true, resolved: 'packages/core' },
  'node_modules/pg': {
    version: '8.0.0',
    dependencies: { odd: '2' },
    peerDependencies: { peer: '1', native: '1' },
    peerDependenciesMeta: { native: { optional: true } },
  },
  'node_modules/pg/node_modules/odd': { version: '2.0.0' },
  'node_modules/odd': { version: '1.0.0', dependencies: { pg: '8' } },
  'node_modules/peer': { version: '3.0.0' },
  'node_modules/native': { version: '4.0.0' },
  'node_modules/@scope/deep': { version: '5.0.0' },
  'node_modules/vitest': { version: '6.0.0' },
}

it('the search finds exactly the packages that Node loads at run time', () => {
  expect([...runningPackages(lock, 'packages/server')].sort()).toEqual([
    '@scope/deep@5.0.0',
    'odd@1.0.0',
    'odd@2.0.0',
    'peer@3.0.0',
    'pg@8.0.0',
  ])
})

it('the search refuses a lock file that lacks what is needed', () => {
  const broken = { ...lock, 'packages/core': { dependencies: { gone: '1' } } }
  expect(() => runningPackages(broken, 'packages/server')).toThrow('gone of packages/core is not in the lock file')
})

it('the search finds every dependency of the server in this repository', () => {
  const here = locked(resolve(import.meta.dirname, '..'))
  const names = new Set(
    [...runningPackages(here, 'packages/server')].map((each) => each.slice(0, each.lastIndexOf('@'))),
  )
  const own = Object.keys(here['packages/server']!.dependencies!).filter((name) => !name.startsWith('@svc/'))
  expect(own.length).toBeGreaterThan(20)
  expect(own.filter((name) => !names.has(name))).toEqual([])
  expect(names).not.toContain('vitest')
})
