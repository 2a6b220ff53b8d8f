import { type ReactNode, useEffect, useRef } from 'react'
import classes from './overlay.module.css'

interface OverlayProps {
  label: string
  close: () => void
  children: ReactNode
}

/** A light dialog of the shell: the browser keeps the focus inside and returns it, and Escape closes. */
export function Overlay({ label, close, children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it as well, which the browser does
    <dialog
      ref={dialog}
      className={classes.overlay}
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <div className={classes.content}>{children}</div>
    </dialog>
  )
}
