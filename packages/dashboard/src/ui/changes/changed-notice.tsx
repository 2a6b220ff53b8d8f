import { Notice } from '../notice/notice.tsx'
import { Time } from '../time/time.tsx'

/** Above a form while another person has saved what it edits. */
export function ChangedNotice({ name, at }: { name: string; at: Date }) {
  return (
    <Notice
      tone="warning"
      says="politely"
      title={
        <>
          {name} has changed this, <Time time={at.toISOString()} />
        </>
      }
    >
      What you typed is kept. When you save, both edits are merged.
    </Notice>
  )
}
