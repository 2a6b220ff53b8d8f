import { VisuallyHidden } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { type KeyboardEvent, useRef } from 'react'
import { counted } from '../words/lists.ts'
import classes from './environment-tabs.module.css'

export interface EnvironmentTab {
  key: string
  name: string
  /** `#rrggbb`, as the environment has it. */
  color: string
  isProtected: boolean
  /** Changes that are not published. 0 shows nothing. */
  unpublished: number
}

interface EnvironmentTabsProps {
  /** In the order of the project. */
  environments: readonly EnvironmentTab[]
  /** The key of the chosen one. */
  chosen: string
  /** The page writes the key to the address, as `?env=`. */
  onChoose: (key: string) => void
  /** The id of the element that shows the chosen environment. */
  panelId?: string
}

/** The key of the next (1) or previous (-1) environment, for the keys `]` and `[`. It goes round. */
export function neighbor(environments: readonly { key: string }[], chosen: string, step: 1 | -1): string {
  const at = environments.findIndex(({ key }) => key === chosen)
  return environments.at((at + step) % environments.length)?.key ?? chosen
}

/** Which environment a page shows. A protected one has a lock, and a band in its color. */
export function EnvironmentTabs({ environments, chosen, onChoose, panelId }: EnvironmentTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const shown = environments.find(({ key }) => key === chosen)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] as 1 | -1 | undefined
    if (!step) return
    event.preventDefault()
    const next = neighbor(environments, chosen, step)
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(next)}"]`)?.focus()
  }
  return (
    <div className={classes.frame}>
      {shown?.isProtected && <span className={classes.band} style={{ background: shown.color }} />}
      <div className={classes.tabs} role="tablist" aria-label="Environment" ref={list} onKeyDown={move}>
        {environments.map(({ key, name, color, isProtected, unpublished }) => (
          <button
            key={key}
            type="button"
            role="tab"
            className={classes.tab}
            data-key={key}
            aria-selected={key === chosen}
            tabIndex={key === chosen ? 0 : -1}
            {...(panelId !== undefined && { 'aria-controls': panelId })}
            onClick={() => onChoose(key)}
          >
            <span className={classes.dot} style={{ background: color }} aria-hidden />
            <span className={classes.name}>{name}</span>
            {isProtected && (
              <>
                <IconLock size={14} aria-hidden />
                <VisuallyHidden>protected</VisuallyHidden>
              </>
            )}
            {unpublished > 0 && (
              <span className={classes.count}>
                <span aria-hidden>{unpublished}</span>
                <VisuallyHidden>{counted(unpublished, 'unpublished change')}</VisuallyHidden>
              </span>
            )}
          </button>
        ))}
      </div>
    </div>
  )
}
