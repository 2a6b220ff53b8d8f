import { CloseButton, FocusTrap, Portal, Title } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { medium, useMedia } from '../theme/media.ts'
import { giveFocusBack } from './dialog.tsx'
import { InPanel } from './in-panel.ts'
import classes from './side-panel.module.css'

interface SidePanelProps {
  title: ReactNode
  /** Below the title: the environment, who changed it last. */
  description?: ReactNode
  /** Escape, the button and the page's own back close it. The form inside must survive that (`useKept`). */
  onClose: () => void
  children: ReactNode
  /** Buttons that stay visible while the content scrolls. */
  actions?: ReactNode
}

/**
 * Edits something beside the list that it is in. The page gives it an address. It leaves the page usable, except in
 * windows of less than 900 px, which it fills. It takes the focus and gives it back.
 */
export function SidePanel(props: SidePanelProps) {
  const [opener] = useState(() => document.activeElement)
  return (
    <Portal>
      <Panel {...props} opener={opener} />
    </Portal>
  )
}

function Panel({
  title,
  description,
  onClose,
  children,
  actions,
  opener,
}: SidePanelProps & { opener: Element | null }) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const isWhole = useMedia(medium)
  useEffect(() => {
    heading.current?.focus()
    // What was saved may have replaced the button that opened the panel.
    return () => giveFocusBack(opener)
  }, [opener])
  const press = (event: KeyboardEvent) => {
    // Menus and dialogs that opened from the panel are closed first, and they are elsewhere in the document.
    const isInside = event.currentTarget.contains(event.target as Element)
    if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return
    event.stopPropagation()
    onClose()
  }
  return (
    <FocusTrap active={isWhole}>
      <div className={classes.panel} role="dialog" aria-modal={isWhole} aria-labelledby={id} onKeyDown={press}>
        <div className={classes.head}>
          <div className={classes.words}>
            <Title order={2} id={id} ref={heading} tabIndex={-1} data-autofocus className={classes.title ?? ''}>
              {title}
            </Title>
            {description && <div className={classes.about}>{description}</div>}
          </div>
          <CloseButton aria-label="Close" size="lg" onClick={onClose} />
        </div>
        <div className={classes.body}>
          <InPanel value>{children}</InPanel>
        </div>
        {actions && (
          <div className={classes.foot} data-bottom-bar="form">
            {actions}
          </div>
        )}
      </div>
    </FocusTrap>
  )
}
