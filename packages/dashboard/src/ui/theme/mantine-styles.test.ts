import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const sources = join(import.meta.dirname, '../..')
const mantine = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/global.css'))
const read = (path: string) => readFileSync(join(sources, path), 'utf8')

it('Mantine components in use all have a stylesheet', () => {
  const used = globSync('**/*.tsx', { cwd: sources }).flatMap((path) => componentsIn(read(path)))
  const loaded = new Set(
    ['ui/theme/mantine-styles.ts', 'all-pages.ts'].flatMap((path) =>
      [...read(path).matchAll(/styles\/(\w+)\.css/g)].map(([, name]) => name),
    ),
  )
  const needed = [...new Set(used)].filter((name) => existsSync(join(mantine, `${name}.css`)))
  expect(needed.filter((name) => !loaded.has(name))).toEqual([])
  expect(needed.length).toBeGreaterThan(10)
})

function componentsIn(source: string): string[] {
  const imports = [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)]
  return imports.flatMap(([, names = '']) => names.split(',').map((name) => name.trim().replace(/^type .*/, '')))
}
