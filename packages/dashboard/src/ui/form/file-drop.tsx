import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { fileFault, sizeText } from '../words/file-size.ts'
import classes from './file-drop.module.css'

interface FileDropProps {
  /** The verb and the noun: "Choose a CSV file". */
  label: string
  /** As of `<input accept>`: ".csv,text/csv". */
  accept: string
  maxBytes: number
  onFile: (file: File) => void
  /** What the file contains: "One visitor id in each line." */
  children?: ReactNode
}

/** Takes one file, by a button or by dropping it. What is in the file is the page's business. */
export function FileDrop({ label, accept, maxBytes, onFile, children }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const [fault, setFault] = useState<string>()
  const take = (files: FileList | null) => {
    const [file, ...others] = files ?? []
    if (!file) return
    const found = others.length > 0 ? 'Drop one file at a time.' : fileFault(file, accept, maxBytes)
    setFault(found)
    if (!found) onFile(file)
  }
  const over = (event: DragEvent, is: boolean) => {
    event.preventDefault()
    setIsOver(is)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false)
        take(event.dataTransfer.files)
      }}
    >
      <IconFileUpload size={24} aria-hidden />
      <Button variant="default" onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        className={classes.input}
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        onChange={(event) => {
          take(event.currentTarget.files)
          // The same file can be chosen again after it was fixed.
          event.currentTarget.value = ''
        }}
      />
      <span className={classes.hint}>
        or drop it here, up to {sizeText(maxBytes)}. {children}
      </span>
      {fault && (
        <span className={classes.fault} role="alert">
          {fault}
        </span>
      )}
    </div>
  )
}
