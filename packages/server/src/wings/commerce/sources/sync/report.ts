import type { FoundProblem } from './plan.ts'

/** So many problems of a file are kept. All are counted. */
export const maxKeptProblems = 1000

const maxTextLength = 500

/** What is told about the rows of a file. */
export class RowReport {
  /** How many problems there were, by code. */
  readonly skipped: Record<string, number> = {}
  readonly warnings: Record<string, number> = {}
  #kept = 0

  /** Counts problems, and returns those to be kept, in the order of lines. */
  add(problems: readonly FoundProblem[]): FoundProblem[] {
    for (const { code, isWarning } of problems) {
      const counts = isWarning ? this.warnings : this.skipped
      counts[code] = (counts[code] ?? 0) + 1
    }
    const kept = problems.toSorted((one, other) => one.line - other.line).slice(0, maxKeptProblems - this.#kept)
    this.#kept += kept.length
    return kept.map(({ itemId, message, ...problem }) => ({
      ...problem,
      itemId: itemId === null ? null : storable(itemId),
      message: storable(message),
    }))
  }
}

/** A database stores no text with the character 0 or half a character. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').slice(0, maxTextLength).toWellFormed()
