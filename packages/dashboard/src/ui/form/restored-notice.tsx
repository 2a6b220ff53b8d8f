import { Button } from '@mantine/core'
import { Notice } from '../notice/notice.tsx'

/** Above a form whose values are from before a reload or a new sign-in. */
export function RestoredNotice({ discard }: { discard: () => void }) {
  return (
    <Notice
      actions={
        <Button size="xs" variant="default" onClick={discard}>
          Discard
        </Button>
      }
    >
      These are your unsaved changes from before.
    </Notice>
  )
}
