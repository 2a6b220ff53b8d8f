import { ApiError } from '@svc/client'
import type { FromPage, Mode, Picked, Pressed, Side, Step, ToPage } from '@svc/web/messages'
import { type Draft, newId, type Target, withChange, withText } from './draft.ts'
import { edited, type History, historyOf, redone, undone } from './history.ts'
import { type MergedDraft, mergeDrafts } from './merging.ts'
import { elementOf, stepOf } from './sentence.ts'
import { previewOf } from './served.ts'
import { type Faults, faultsOf, type Person, type Saved, type Service } from './service.ts'

const presenceMs = 20_000
/** A code lives for a minute. */
const codeMs = 45_000
const checkMs = 700

/** The entry of a preview that only counts what the chosen selector finds. */
const probe = '?'

export type Experiment = Awaited<ReturnType<Service['experiment']>>

interface Edited {
  saved: Saved
  history: History<Draft>
}

/** What waits for the next element that is selected: beside it goes the element that was selected before. */
export interface Placing {
  target: Target
  position: 'BEFORE' | 'AFTER'
}

export interface EditorState {
  experiment: Experiment
  variationKey: string
  /** By variation, once it was shown. */
  edits: Readonly<Record<string, Edited>>
  url: string
  /** The pages of the experiment that the address is; null while that is unknown. */
  pages: readonly string[] | null
  mode: Mode
  side: Side
  isFolded: boolean
  picked: Picked | null
  target: Target
  placing: Placing | null
  matches: Readonly<Record<string, number>>
  /** What keeps changes from acting, as the page says. */
  pageFaults: Readonly<Record<string, string>>
  faults: Faults
  isSaving: boolean
  conflict: MergedDraft | null
  people: readonly Person[]
  /** The last thing that happened, for everybody and for screen readers. */
  notice: { text: string; isBad: boolean } | null
  outline: string | null
  /** Why nothing can be saved any more. */
  ended: string | null
}

export type Editor = ReturnType<typeof createEditor>

interface Opened {
  service: Service
  experiment: Experiment
  saved: Saved
  url: string
  tell(message: ToPage): void
  /** Copies a text, as far as the browser lets this frame do so. */
  copy(text: string): Promise<void>
}

/** Holds what is edited, and does what people ask for. Views listen by `subscribe`. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of what people can do
export function createEditor({ service, experiment, saved, url, tell, copy }: Opened) {
  const first = experiment.pages?.[0]?.key ?? null
  let state: EditorState = {
    ...{ experiment, variationKey: service.variationKey, url, pages: null, mode: 'SELECT', side: 'RIGHT' },
    edits: { [service.variationKey]: { saved, history: historyOf(saved.draft) } },
    ...{ isFolded: false, picked: null, target: { selector: '', page: first }, placing: null, matches: {} },
    ...{ pageFaults: {}, faults: {}, isSaving: false, conflict: null, people: [], notice: null, outline: null },
    ended: null,
  }
  const listeners = new Set<() => void>()
  /** The page says again what is selected, so the selector that the person has chosen stays. */
  let isAgain = false
  let checking: ReturnType<typeof setTimeout> | undefined

  function set(next: Partial<EditorState>): void {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const say = (text: string, isBad = false): void => set({ notice: { text, isBad } })
  const sayNotSaved = (error: unknown): void =>
    say(`Not saved: ${error instanceof Error ? error.message : error}`, true)
  const editedNow = (): Edited => state.edits[state.variationKey]!
  const draftNow = (): Draft => editedNow().history.present

  function show(): void {
    const { changes, css } = previewOf(draftNow(), state.pages)
    const { selector } = state.target
    const counted = selector === '' ? [] : [{ id: probe, selector, served: null }]
    tell({ type: 'preview', changes: [...changes, ...counted], css })
  }
  function put(next: Partial<Edited>, variationKey = state.variationKey): void {
    set({ edits: { ...state.edits, [variationKey]: { ...state.edits[variationKey]!, ...next } } })
  }
  function change(history: History<Draft>): void {
    put({ history })
    show()
    clearTimeout(checking)
    checking = setTimeout(() => void check(), checkMs)
  }
  /** Who types hears each letter; what a button does is said. */
  const edit = (draft: Draft, subject: string | null = null): void => {
    const before = draftNow()
    if (JSON.stringify(draft) === JSON.stringify(before)) return
    change(edited(editedNow().history, draft, subject))
    if (subject === null) say(stepOf(before, draft))
  }
  function step(to: 'Undone' | 'Redone'): void {
    const before = draftNow()
    const next = (to === 'Undone' ? undone : redone)(editedNow().history)
    if (next.present === before) return say(`There is nothing to ${to === 'Undone' ? 'undo' : 'redo'}.`)
    change(next)
    say(`${to}: ${to === 'Undone' ? stepOf(next.present, before) : stepOf(before, next.present)}`)
  }
  async function check(): Promise<void> {
    const { variationKey } = state
    const draft = draftNow()
    const faults = await service.check(variationKey, draft).catch(() => undefined)
    if (faults && draftNow() === draft) set({ faults })
  }

  async function save(): Promise<void> {
    const { variationKey } = state
    const { saved: base, history } = editedNow()
    if (state.isSaving || state.conflict || !isChanged(editedNow())) return
    set({ isSaving: true })
    try {
      const next = await service.save(variationKey, history.present, base.etag)
      const later = state.edits[variationKey]!.history
      // What the service has made of it, unless the person went on meanwhile.
      const isSame = later.present === history.present
      put({ saved: next, history: isSame ? { ...later, present: next.draft, subject: null } : later }, variationKey)
      set({ faults: {} })
      say('Saved as a draft. Visitors get it when somebody launches or publishes the experiment.')
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) await mergeWith(variationKey).catch(sayNotSaved)
      else if (error instanceof ApiError && error.issues.length > 0) {
        set({ faults: faultsOf(error, history.present.changes) })
        say('Not saved: the service refuses some changes. Each says what is wrong.', true)
      } else sayNotSaved(error)
    } finally {
      set({ isSaving: false })
    }
  }
  /** Somebody else has saved meanwhile. */
  async function mergeWith(variationKey: string): Promise<void> {
    const theirs = await service.draft(variationKey)
    // Only now: the person can have gone on while it was read.
    const { saved: base, history } = state.edits[variationKey]!
    const merged = mergeDrafts(base.draft, history.present, theirs.draft)
    put({ saved: theirs, history: edited(history, merged.draft) }, variationKey)
    show()
    if (merged.conflicts.length > 0) {
      set({ conflict: merged })
      return say('Somebody else has changed the same. Choose what to keep, then save.', true)
    }
    set({ isSaving: false })
    await save()
    if (!isChanged(state.edits[variationKey]!))
      say(`Saved, together with ${merged.theirs === 1 ? 'a change' : `${merged.theirs} changes`} of somebody else.`)
  }

  async function lookAtAddress(address: string): Promise<void> {
    set({ url: address })
    const pages = await service.pagesOf(address).catch(() => null)
    if (state.url !== address) return
    const here = pages?.find((key) => experiment.pages?.some((page) => page.key === key))
    set({ pages, target: { ...state.target, page: here ?? null } })
    show()
  }
  async function renewCode(): Promise<void> {
    const code = await service.nextCode().catch(() => undefined)
    if (code !== undefined) tell({ type: 'keep', code })
  }
  async function meet(): Promise<void> {
    const people = await service.presence(state.variationKey).catch(() => state.people)
    set({ people })
  }

  function pick(picked: Picked): void {
    const [best] = picked.candidates
    if (state.placing) return place(picked)
    const selector = isAgain ? state.target.selector : (best?.selector ?? '')
    set({ picked, target: { ...state.target, selector }, outline: null })
    if (!best) say('A change of this variation has made this element. Edit the change in the list.', true)
    else if (!isAgain) say(`Selected: ${elementOf(picked.tag, picked.text)}.`)
    isAgain = false
    show()
  }
  function place(picked: Picked): void {
    const { placing } = state
    const to = steadyOf(picked)
    set({ placing: null })
    if (!placing || to === undefined || to === placing.target.selector)
      return say('Nothing was moved: choose a different element.', true)
    move(placing.target, to, placing.position)
  }
  function move(target: Target, to: string, position: 'BEFORE' | 'AFTER'): void {
    edit(withChange(draftNow(), { type: 'MOVE', ...target, was: null, to, position }, newId()))
    isAgain = true
    tell({ type: 'again' })
  }

  const hears: { [Type in FromPage['type']]: (message: Extract<FromPage, { type: Type }>) => void } = {
    ready: ({ url: address }) => void lookAtAddress(address),
    navigated: ({ url: address }) => void lookAtAddress(address),
    selected: ({ element }) => pick(element),
    missed: ({ selector }) => say(`${selector} finds nothing on this page.`, true),
    written({ text }) {
      if (state.picked)
        edit(withText(draftNow(), state.target, text, state.picked.text), `text ${state.target.selector}`)
    },
    applied: ({ matches, faults: pageFaults }) => set({ matches, pageFaults }),
    outlined({ text }) {
      set({ outline: text })
      copy(text).then(
        () => say('The outline of the page is copied. Paste it to your assistant.'),
        () => say('The browser does not let the editor copy. Copy the outline from the field.', true),
      )
    },
    pressed: ({ key }) => actions.press(key),
  }

  const actions = {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    state: () => state,
    draft: draftNow,
    hear: (message: FromPage) => hears[message.type](message as never),
    edit,
    save,
    undo: () => step('Undone'),
    redo: () => step('Redone'),
    press(key: Pressed) {
      if (key === 'SAVE') void save()
      else if (key === 'MODE') actions.setMode(state.mode === 'SELECT' ? 'INTERACT' : 'SELECT')
      else if (key === 'UNDO') actions.undo()
      else actions.redo()
    },
    setMode(mode: Mode) {
      set({ mode })
      tell({ type: 'mode', mode })
      say(mode === 'SELECT' ? 'Clicks select elements.' : 'Clicks act as for visitors.')
    },
    async setVariation(variationKey: string) {
      try {
        const known = state.edits[variationKey] ?? { saved: await service.draft(variationKey) }
        const history = 'history' in known ? known.history : historyOf(known.saved.draft)
        set({ edits: { ...state.edits, [variationKey]: { saved: known.saved, history } } })
        set({ variationKey, faults: {}, placing: null, conflict: null })
        show()
        await meet()
      } catch (error) {
        say(error instanceof Error ? error.message : String(error), true)
      }
    },
    setSelector(selector: string) {
      set({ target: { ...state.target, selector } })
      tell({ type: 'highlight', selector: selector === '' ? null : selector })
      show()
    },
    setPage(page: string | null) {
      set({ target: { ...state.target, page } })
    },
    pick: (selector: string) => tell({ type: 'pick', selector }),
    step: (to: Step) => tell({ type: 'step', to }),
    write: () => tell({ type: 'write' }),
    highlight: (selector: string | null) => tell({ type: 'highlight', selector }),
    scrollTo: (selector: string) => tell({ type: 'scrollTo', selector }),
    move,
    startPlacing: (placing: Placing | null) => set({ placing }),
    resolve(choices: Readonly<Record<string, 'mine' | 'theirs'>>) {
      const { conflict } = state
      if (!conflict) return
      set({ conflict: null })
      edit(conflict.choose(choices))
      void save()
    },
    outline: () => tell({ type: 'outline' }),
    copyDraft: () => copy(JSON.stringify(draftNow(), null, 2)).then(() => say('The changes are copied as JSON.')),
    dock(side: Side, isFolded: boolean) {
      set({ side, isFolded })
      tell({ type: 'dock', side, isFolded })
    },
    /** Opens what is saved in a window of this width; null for a tab. */
    async preview(width: number | null) {
      const page = state.target.page ?? experiment.pages?.find(({ url: address }) => address !== null)?.key
      if (!page) return say('The experiment has no page with an address. Add one on its targeting page.', true)
      try {
        const address = await service.preview(state.variationKey, page)
        window.open(address, '_blank', width === null ? 'noopener' : `noopener,popup,width=${width},height=844`)
        if (isChanged(editedNow())) say('The preview shows what is saved. Save to see your last edits there.')
      } catch (error) {
        say(error instanceof Error ? error.message : String(error), true)
      }
    },
    close() {
      void service
        .presence(state.variationKey, true)
        .then(service.close)
        .catch(() => undefined)
        .finally(() => tell({ type: 'close' }))
    },
    end: (ended: string) => set({ ended }),
    say,
    /** Begins to tell who is here, and keeps a code for the next page. Returns what stops it. */
    begin() {
      void renewCode()
      void meet()
      const timers = [setInterval(() => void renewCode(), codeMs), setInterval(() => void meet(), presenceMs)]
      return () => timers.forEach(clearInterval)
    },
  }
  return actions
}

/** Whether there is something to save. */
export const isChanged = ({ saved, history }: Edited): boolean =>
  JSON.stringify(saved.draft) !== JSON.stringify(history.present)

/**
 * How many elements the chosen selector finds; undefined before the page has counted. A change of the draft can set what its
 * selector reads: then its elements count, which the selector does not find any more.
 */
export function matchesOfTarget({ matches, target, edits, variationKey }: EditorState): number | undefined {
  const { changes } = edits[variationKey]!.history.present
  const held = changes.filter(({ selector }) => selector === target.selector).map(({ id }) => matches[id] ?? 0)
  return matches[probe] === undefined ? undefined : Math.max(matches[probe], ...held)
}

/** Whether a selector finds its element by where it stands among its neighbours. */
export const countsPositions = (selector: string): boolean =>
  /:(?:nth|first|last|only)-(?:last-)?(?:child|of-type)/.test(selector)

/** A selector that does not count positions, which a move changes, if there is one. */
export const steadyOf = ({ candidates }: Picked): string | undefined =>
  (candidates.find(({ selector }) => !countsPositions(selector)) ?? candidates[0])?.selector
