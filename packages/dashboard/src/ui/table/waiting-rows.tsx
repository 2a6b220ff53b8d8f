import { Button } from '@mantine/core'
import { useRef } from 'react'
import { Notice } from '../notice/notice.tsx'
import { counted } from '../words/lists.ts'
import classes from './waiting-rows.module.css'

interface WaitingRowsProps {
  count: number
  /** "flag" */
  noun: string
  /** Where it is not the noun with an s: "deliveries". */
  nouns?: string
  /** Other rows are left out: the new ones need not be new things. */
  isFiltered: boolean
  onShow: () => void
}

/** Above a list that is held (`useHeldRows`): what has come meanwhile. The focus stays here when it is shown. */
export function WaitingRows({ count, noun, nouns = `${noun}s`, isFiltered, onShow }: WaitingRowsProps) {
  const place = useRef<HTMLDivElement>(null)
  const which = isFiltered ? 'more' : 'new'
  return (
    <div ref={place} tabIndex={-1} className={classes.place}>
      {count > 0 && (
        <Notice
          says="politely"
          title={counted(count, `${which} ${noun}`, `${which} ${nouns}`)}
          actions={
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => {
                onShow()
                place.current?.focus()
              }}
            >
              Show
            </Button>
          }
        />
      )}
    </div>
  )
}
