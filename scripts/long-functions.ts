// Part of `npm run check`: biome counts the lines of JSX, texts and inner functions too low, so lines are counted here.
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const maxLines = 70
/** Directly above a function. The second form is for functions that biome allows: an unused `biome-ignore` is a fault. */
const exempts = /^\s*\/\/ (?:biome-ignore lint\/complexity\/noExcessiveLinesPerFunction|long-function): \S/

/** What to do about each function of a file whose body has too many lines. Blank lines do not count. */
export function longFunctions(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n')
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line
  const longIn = (node: ts.Node): string[] => {
    const inside: string[] = []
    ts.forEachChild(node, (child) => void inside.push(...longIn(child)))
    if (!(ts.isFunctionLike(node) && 'body' in node && node.body)) return inside
    const [first, last] = [lineOf(node.body.getStart()), lineOf(node.body.end)]
    const count = lines.slice(first, last + 1).filter((line) => line.trim() !== '').length
    if (count <= maxLines || exempts.test(lines[lineOf(node.getStart()) - 1] ?? '')) return inside
    const what = `${path}:${first + 1} has a function of ${count} lines, and ${maxLines} are allowed.`
    const advice = path.endsWith('x') ? 'a component, a hook or a list of columns' : 'what it does, holds or returns'
    return [`${what} Name a part of it: ${advice}.`, ...inside]
  }
  return longIn(file)
}

if (import.meta.main) {
  const sources = globSync('packages/*/{src,gallery,browser,editor}/**/*.{ts,tsx}')
  const found = sources
    .filter((path) => !/\.test\.tsx?$|\/testing\//.test(path))
    .flatMap((path) => longFunctions(path, readFileSync(path, 'utf8')))
  for (const line of found) console.error(line)
  if (found.length > 0) process.exit(1)
}
