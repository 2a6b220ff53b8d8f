import { Button } from '@mantine/core'
import { counted } from './lists.ts'
import { Notice } from './notice.tsx'

interface WaitingRowsProps {
  count: number
  /** "flag" */
  noun: string
  /** Other rows are left out: the new ones need not be new things. */
  isFiltered: boolean
  onShow: () => void
}

/** Above a list that is held (`useHeld`): what has come meanwhile. */
export function WaitingRows({ count, noun, isFiltered, onShow }: WaitingRowsProps) {
  if (count === 0) return null
  return (
    <Notice
      says="politely"
      title={counted(count, `${isFiltered ? 'more' : 'new'} ${noun}`)}
      actions={
        <Button variant="default" size="compact-sm" onClick={onShow}>
          Show
        </Button>
      }
    />
  )
}
