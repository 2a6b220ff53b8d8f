import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'

interface DialogProps {
  /** Leave this out if the dialog is rendered only while it is open. */
  opened?: boolean
  title: ReactNode
  /** Closes only with a button inside, for content that is shown once. */
  isFirm?: boolean
  size?: 'md' | 'lg'
  onClose: () => void
  children: ReactNode
}

const Modal = lazy(() => import('./modal.ts'))

/** A dialog over the page. Its code is loaded when a dialog is first opened. When it closes, the focus returns to where it was. */
export function Dialog({ opened = true, isFirm = false, ...props }: DialogProps) {
  useFocusReturn(opened)
  return (
    opened && (
      <Suspense fallback={null}>
        <Modal
          {...props}
          opened
          returnFocus={false}
          // Mantine renders a <header>, which would be a second banner of the page.
          attributes={{ header: { role: 'presentation' } }}
          closeOnClickOutside={!isFirm}
          closeOnEscape={!isFirm}
          withCloseButton={!isFirm}
        />
      </Suspense>
    )
  )
}

// Where the focus was before the first of several dialogs that follow each other.
let opener: Element | null = null

/** Mantine's own version looks too late if the dialog focuses its first field as it appears. */
function useFocusReturn(opened: boolean): void {
  const wasOpened = useRef(false)
  if (opened && !wasOpened.current && !isInDialog(document.activeElement)) opener = document.activeElement
  wasOpened.current = opened
  useEffect(() => {
    if (!opened) return undefined
    return () => void setTimeout(() => giveFocusBack(opener))
  }, [opened])
}

/** Focuses the opener, or the page if the opener is gone. Does nothing if the focus has moved elsewhere meanwhile. */
export function giveFocusBack(opener: Element | null): void {
  const isElsewhere = document.activeElement !== null && document.activeElement !== document.body
  if (isElsewhere || document.querySelector('[role=dialog]')) return
  const target = opener?.isConnected ? opener : document.querySelector('main')
  if (target instanceof HTMLElement) target.focus()
}

const isInDialog = (element: Element | null): boolean => element?.closest('[role=dialog]') !== null
