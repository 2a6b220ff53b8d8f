import type { ReactNode } from 'react'
import { Notice } from '../../../ui/notice/notice.tsx'

interface ChangedMeanwhileProps {
  who: string
  /** A refusal is said at once, news while a person decides politely. */
  says: 'at once' | 'politely'
  children: ReactNode
}

/** Somebody has changed what a person decides about. */
export const ChangedMeanwhile = ({ who, says, children }: ChangedMeanwhileProps) => (
  <Notice tone="warning" says={says} title={`${who} has changed this meanwhile`}>
    {children}
  </Notice>
)
