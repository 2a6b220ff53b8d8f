import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

interface DialogProps {
  /** A dialog that is there only while it is open leaves this out. */
  opened?: boolean
  title: ReactNode
  /** Closed by a button inside alone, as where something is shown for the only time. */
  isFirm?: boolean
  size?: 'md' | 'lg'
  onClose: () => void
  children: ReactNode
}

/** A dialog over the page. What had the focus when it opened has it again afterwards. */
export function Dialog({ opened = true, isFirm = false, ...props }: DialogProps) {
  useFocusReturn(opened)
  return (
    <Modal
      {...props}
      opened={opened}
      returnFocus={false}
      closeOnClickOutside={!isFirm}
      closeOnEscape={!isFirm}
      withCloseButton={!isFirm}
    />
  )
}

// Where the focus was before the first of several dialogs that follow each other.
let opener: Element | null = null

/** Mantine's own looks when the dialog is there already, too late for one that focuses its first field as it appears. */
function useFocusReturn(opened: boolean): void {
  const wasOpened = useRef(false)
  if (opened && !wasOpened.current && !isInDialog(document.activeElement)) opener = document.activeElement
  wasOpened.current = opened
  useEffect(() => {
    if (!opened) return undefined
    return () => void setTimeout(giveFocusBack)
  }, [opened])
}

/** To the opener, or the page where that has gone; not away from somewhere else where it has been moved meanwhile. */
function giveFocusBack(): void {
  const isElsewhere = document.activeElement !== null && document.activeElement !== document.body
  if (isElsewhere || document.querySelector('[role=dialog]')) return
  const target = opener?.isConnected ? opener : document.querySelector('main')
  if (target instanceof HTMLElement) target.focus()
}

const isInDialog = (element: Element | null): boolean => element?.closest('[role=dialog]') !== null
