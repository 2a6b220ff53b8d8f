// Part of `npm run check`: biome counts the lines of JSX too low, so functions of pages are counted here.
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const maxLines = 70

/** What to do about each function of a `.tsx` file whose body has too many lines. Blank lines do not count. */
export function longFunctions(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line
  const longIn = (node: ts.Node): string[] => {
    const inside: string[] = []
    ts.forEachChild(node, (child) => void inside.push(...longIn(child)))
    if (!(ts.isFunctionLike(node) && 'body' in node && node.body)) return inside
    const [first, last] = [lineOf(node.body.getStart()), lineOf(node.body.end)]
    const lines = text.split('\n').slice(first, last + 1)
    const count = lines.filter((line) => line.trim() !== '').length
    if (count <= maxLines) return inside
    const what = `${path}:${first + 1} has a function of ${count} lines, and ${maxLines} are allowed.`
    return [`${what} Name a part of it: a component, a hook or a list of columns.`, ...inside]
  }
  return longIn(file)
}

if (import.meta.main) {
  const pages = globSync('packages/*/{src,gallery}/**/*.tsx')
  const found = pages.flatMap((path) => longFunctions(path, readFileSync(path, 'utf8')))
  for (const line of found) console.error(line)
  if (found.length > 0) process.exit(1)
}
