import { type KeyboardEvent, type ReactNode, useId, useRef, useSyncExternalStore } from 'react'
import classes from './code-snippet.module.css'
import { CopyButton } from './copy-button.tsx'

export interface Snippet {
  /** What people choose: "Node", "curl". */
  language: string
  code: string
  /** Above the code: how to install what it needs, or what to do with it. */
  about?: ReactNode
}

interface CodeSnippetProps {
  /** What the code does: "Connect". Screen readers get it. */
  label: string
  /** One or more forms of the same code. */
  snippets: readonly [Snippet, ...Snippet[]]
}

const key = 'svc.language'
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function remember(language: string): void {
  localStorage.setItem(key, language)
  for (const listener of listeners) listener()
}

/** Code to copy. The language that is chosen once is chosen in all snippets that have it. */
export function CodeSnippet({ label, snippets }: CodeSnippetProps) {
  const id = useId()
  const tabs = useRef<HTMLDivElement>(null)
  const remembered = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  const shown = snippets.find(({ language }) => language === remembered) ?? snippets[0]
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const at = (snippets.indexOf(shown) + step + snippets.length) % snippets.length
    remember(snippets[at]!.language)
    tabs.current?.querySelectorAll('button')[at]?.focus()
  }
  return (
    <div className={classes.frame}>
      <div className={classes.bar}>
        {snippets.length > 1 ? (
          <div className={classes.tabs} role="tablist" aria-label={`${label}: language`} ref={tabs} onKeyDown={move}>
            {snippets.map(({ language }) => (
              <button
                key={language}
                type="button"
                role="tab"
                className={classes.tab}
                aria-selected={language === shown.language}
                aria-controls={id}
                tabIndex={language === shown.language ? 0 : -1}
                onClick={() => remember(language)}
              >
                {language}
              </button>
            ))}
          </div>
        ) : (
          <span className={classes.title}>{shown.language}</span>
        )}
        <CopyButton text={shown.code} label="Copy" what={label} size="xs" />
      </div>
      {shown.about && <div className={classes.about}>{shown.about}</div>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.scroll} id={id} tabIndex={0} aria-label={`${label}, ${shown.language}`}>
        <pre className={classes.code}>
          <code>{shown.code}</code>
        </pre>
      </section>
    </div>
  )
}
