import { IconArrowLeft, IconArrowRight, IconArrowUp, IconCornerDownRight } from '@tabler/icons-react'
import { AttributeGroup, ClassGroup, HtmlGroup, ImageGroup, TextGroup } from './content-groups.tsx'
import { matchesOfTarget } from './editor.ts'
import { Button, Choice, Field, IconButton } from './fields.tsx'
import { Finder } from './finder.tsx'
import type { Given, Held } from './held.ts'
import { voidElements } from './html.ts'
import { PlaceGroup } from './place-group.tsx'
import { StyleGroup } from './style-group.tsx'

/** What is selected, and everything that can be changed of it. */
export function ElementPanel(held: Held) {
  const { picked, target } = held.state
  if (!picked) return <Nothing {...held} />
  const given = { ...held, picked, target }
  // Fields start again for a different element.
  const key = `${held.state.variationKey} ${picked.candidates[0]?.selector ?? ''}`
  return (
    <>
      <Heading {...given} />
      <Parts key={key} {...given} />
    </>
  )
}

function Parts(given: Given) {
  const { editor, picked } = given
  const hasContent = !voidElements.test(picked.tag)
  return (
    <>
      <SelectorFields {...given} />
      <details className="nested">
        <summary>Find a different element</summary>
        <Finder editor={editor} label="Its selector" />
      </details>
      {picked.candidates.length > 0 && (
        <>
          {hasContent && <TextGroup {...given} />}
          {picked.tag === 'img' && <ImageGroup {...given} />}
          <StyleGroup {...given} />
          <PlaceGroup {...given} />
          <AttributeGroup {...given} />
          <ClassGroup {...given} />
          {hasContent && <HtmlGroup {...given} />}
        </>
      )}
    </>
  )
}

function Nothing({ editor }: Held) {
  return (
    <div className="empty">
      <p>
        Click an element of the page to change it, or press Enter on it. A double click lets you type its text in place.
      </p>
      <Finder editor={editor} label="Or find it by a selector" />
    </div>
  )
}

function Heading({ editor, picked }: Given) {
  const size = 16
  return (
    <div className="row heading">
      <h2>
        <code>{picked.tag}</code>
        {picked.framework !== null && <span className="badge">{picked.framework}</span>}
      </h2>
      <Button className="step" isOff={!picked.hasParent} onClick={() => editor.step('PARENT')}>
        <IconArrowUp size={size} /> Parent
      </Button>
      <Button className="step" isOff={!picked.hasChild} onClick={() => editor.step('CHILD')}>
        <IconCornerDownRight size={size} /> Child
      </Button>
      <IconButton name="Previous" isOff={picked.previous === null} onClick={() => editor.step('PREVIOUS')}>
        <IconArrowLeft size={size} />
      </IconButton>
      <IconButton name="Next" isOff={picked.next === null} onClick={() => editor.step('NEXT')}>
        <IconArrowRight size={size} />
      </IconButton>
    </div>
  )
}

function SelectorFields({ editor, state, picked, target }: Given) {
  const count = matchesOfTarget(state)
  const { pages } = state.experiment
  const isNone = count === 0
  return (
    <div className="group-like">
      <Field
        label="Selector"
        value={target.selector}
        onChange={editor.setSelector}
        fault={isNone ? 'It finds nothing on this page.' : undefined}
        hint={count === undefined ? undefined : `It finds ${count === 1 ? 'this element alone' : `${count} elements`}.`}
      />
      <ul className="candidates" aria-label="Other selectors">
        {picked.candidates
          .filter(({ selector }) => selector !== target.selector)
          .map(({ selector, matches }) => (
            <li key={selector}>
              <button
                type="button"
                onClick={() => editor.setSelector(selector)}
                onMouseEnter={() => editor.highlight(selector)}
                onMouseLeave={() => editor.highlight(null)}
              >
                <code>{selector}</code> <span>{matches === 1 ? '1 match' : `${matches} matches`}</span>
              </button>
            </li>
          ))}
      </ul>
      {pages && pages.length > 0 && (
        <Choice
          label="New changes act on"
          value={target.page ?? ''}
          options={[...pages.map(({ key, name }) => [key, name] as const), ['', 'Every page of the experiment']]}
          onChange={(page) => editor.setPage(page === '' ? null : page)}
        />
      )}
    </div>
  )
}
