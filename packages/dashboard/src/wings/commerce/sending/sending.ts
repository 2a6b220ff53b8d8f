import { sizeText } from '../../../ui/words/file-size.ts'
import { isOpen, type Job } from '../jobs/job.ts'
import { progressInWords } from '../jobs/progress.ts'

/** A file on its way to a source or a dataset. */
export interface Sending {
  file: File
  /** How many bytes have left the browser. */
  sent: number
  status: 'SENDING' | 'CANCELLING' | 'REFUSED' | 'TAKEN'
  /** The job that reads the file while it comes, as it was read last. */
  job: Job | undefined
  /** What this tab calls it: the job that reads it has the same. Others can send a file at the same moment. */
  id: string
  /** Why the file was refused. */
  error: unknown
}

export const beginning = (file: File, id: string): Sending => ({
  ...{ file, id, sent: 0, status: 'SENDING', job: undefined, error: undefined },
})

/** What the newest job of the source says about the file, if it is the one that reads it. */
export function looked(sending: Sending, newest: Job | undefined): Sending {
  // Later on, the job works with something else than what it was asked for.
  const isOwn = newest !== undefined && (newest.sending === sending.id || newest.id === sending.job?.id)
  if (!isOwn) return sending
  // A job that ends early says why. The rest of its file is read by nobody.
  const hasEnded = sending.status === 'SENDING' && !isOpen(newest)
  return { ...sending, job: newest, status: hasEnded ? 'TAKEN' : sending.status }
}

/** "3.2 MB of 12 MB sent. Reading, 41,000 rows so far." */
export function sendingInWords({ file, sent, status, job }: Sending): string {
  if (status === 'CANCELLING') return 'Being cancelled'
  const isWhole = sent >= file.size
  const words = isWhole
    ? `All of it is sent (${sizeText(file.size)}).`
    : `${sizeText(sent)} of ${sizeText(file.size)} sent.`
  const reading = job ? progressInWords(job) : ''
  if (reading !== '') return `${words} ${reading}.`
  return isWhole ? `${words} The service reads the end of it.` : words
}
