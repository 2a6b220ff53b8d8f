/** One fenced block of a Markdown document. */
export interface CodeBlock {
  language: string
  text: string
  /** Line of the opening fence, counted from 1. */
  line: number
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
