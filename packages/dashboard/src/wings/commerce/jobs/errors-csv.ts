import type { Data } from '@svc/client'

export type JobError = Data<'/api/v1/projects/{projectId}/commerce/jobs/{jobId}/errors', 'get'>[number]

/**
 * The errors of a job as a file for spreadsheets, a line each, as the files of the service are: with a byte order mark, and
 * texts in quotes. A text that a spreadsheet could read as a formula begins with an apostrophe.
 */
export const errorsCsv = (errors: readonly JobError[]): string =>
  `\ufeff${[
    ['line', 'item', 'code', 'message', 'row'],
    ...errors.map(({ line, itemId, code, message, isWarning }) => [
      ...[line ?? '', itemId ?? '', code, message],
      isWarning ? 'taken in part' : 'skipped',
    ]),
  ]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('')}`

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}
