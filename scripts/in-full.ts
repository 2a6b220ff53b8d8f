import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface Moved {
  file: string
  title: string
  keeper: string
}

/** `inFull('keeper')('title', …)`, also with `.each(rows)` in between. */
const call = /\binFull\(\s*'(?<keeper>[^']+)'\s*\)(?:\.each\(.*?\))?\(\s*(?<quote>['"`])(?<title>.+?)\k<quote>,/gs

/** The tests that only a full run does, in the order of their files. */
function movedTests(root: string, files: readonly string[]): Moved[] {
  return files.flatMap((file) =>
    [...readFileSync(`${root}/${file}`, 'utf8').matchAll(call)].map(({ groups }) => ({
      file,
      title: groups!.title!,
      keeper: keeperOf(groups!.keeper!, file, files),
    })),
  )
}

/** @throws Error if the name is the end of no file or of several */
function keeperOf(name: string, file: string, files: readonly string[]): string {
  const found = files.filter((each) => `/${each}`.endsWith(`/${name}.test.ts`))
  if (found.length === 1) return found[0]!
  const given = found.length === 0 ? 'no test file' : `several test files: ${found.join(', ')}`
  throw new Error(`${file}: inFull('${name}') names ${given}. Give more of the path, without .test.ts.`)
}

/** The page that lists them: what a full run does besides, and what keeps each promise in `npm test`. */
export function inFullPage(root: string): string {
  const listed = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], { cwd: root, encoding: 'utf8' })
  const moved = Map.groupBy(movedTests(root, listed.trim().split('\n')), ({ file }) => file)
  const parts = [...moved].map(([file, tests]) => {
    const rows = tests.map(({ title, keeper }) => `| ${title.replaceAll('|', '\\|')} | \`${keeper}\` |`)
    return `## ${file}\n\n| test | what keeps its promise in each run |\n|---|---|\n${rows.join('\n')}\n`
  })
  return `# Tests that only a full run does

<!-- Printed from the calls of inFull() in the tests by npm run documents. -->

\`npm run test:full\` does these tests, and \`npm test\` does not. A file that \`npm test\` runs keeps the promise of each. [CONTRIBUTING](../../CONTRIBUTING.md) lists what else only a full run does.

${parts.join('\n')}`
}
