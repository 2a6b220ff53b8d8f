import { usePlace } from '../../../shell/place.ts'
import { allOf } from '../../../ui/words/lists.ts'
import type { Job } from '../jobs/job.ts'
import { acceptedInWords, type Guard } from '../jobs/sync-result.ts'
import { SendFile } from '../sending/send-file.tsx'
import { accept, maxFileBytes, targetOf } from './files.ts'

/** Sends the file of a held job once more, to apply it: nobody else has it. */
export function SendAgain({ job, guards }: { job: Job; guards: readonly Guard[] }) {
  const { project } = usePlace()
  const { id, name } = job.source
  return (
    <SendFile
      to={targetOf({ id, name, projectId: project.id }, job.id)}
      accept={accept}
      maxBytes={maxFileBytes}
      hint="Choose the same file again."
      consequence={`This time it can ${allOf(acceptedInWords(guards))}. If it would do more, it is held again.`}
    />
  )
}
