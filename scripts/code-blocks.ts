/** One fenced block of a Markdown document. */
export interface CodeBlock {
  language: string
  text: string
  /** Line of the opening fence, counted from 1. */
  line: number
}

/** The section of a Markdown document with this heading, and what is below it. Lines keep their numbers. */
export function sectionOf(markdown: string, heading: string): string {
  const lines = markdown.split('\n')
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'))
  if (start < 0) throw new Error(`there is no section ${heading}`)
  const level = lines[start]!.indexOf(' ')
  let isCode = false
  const after = lines.slice(start + 1).findIndex((line) => {
    if (line.startsWith('```')) isCode = !isCode
    return !isCode && /^#+ /.test(line) && line.indexOf(' ') <= level
  })
  const end = after < 0 ? lines.length : start + 1 + after
  return `${'\n'.repeat(start)}${lines.slice(start, end).join('\n')}\n`
}

/** The fenced blocks of a Markdown document, in order. A fence that is not closed is ignored. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const found: CodeBlock[] = []
  for (const match of markdown.matchAll(/^```([a-z]+)\n([\s\S]*?)^```$/gm)) {
    const [, language = '', text = ''] = match
    found.push({ language, text, line: markdown.slice(0, match.index).split('\n').length })
  }
  return found
}
