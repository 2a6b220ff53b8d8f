import { TextInput, type TextInputProps } from '@mantine/core'
import { type KeyboardEvent, useId, useState } from 'react'
import { useFoundProducts } from '../../../shell/palette/found-products.ts'
import { usePlace } from '../../../shell/place.ts'
import { chosenIn, lastOf } from './product-choice.ts'
import classes from './product-input.module.css'

interface ProductInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  onChange: (value: string) => void
  /** Whether it takes several ids, with commas between them. */
  many?: boolean
}

const none = -1

/** Takes the id of a product, and finds it by the words of its title. Whoever knows the id types it. */
export function ProductInput({ value, onChange, many = false, ...input }: ProductInputProps) {
  const { project } = usePlace()
  const list = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [place, setPlace] = useState(none)
  const typed = lastOf(value, many)
  const { products } = useFoundProducts(project.id, isOpen ? typed : '')
  const offered = isOpen ? products.filter(({ productId }) => productId !== typed) : []
  const choose = (productId: string) => {
    onChange(chosenIn(value, productId, many))
    setIsOpen(false)
    setPlace(none)
  }
  const press = (event: KeyboardEvent) => {
    if (offered.length === 0) return
    const to = { ArrowDown: place + 1, ArrowUp: place - 1 }[event.key]
    if (to !== undefined) setPlace(Math.max(none, Math.min(to, offered.length - 1)))
    else if (event.key === 'Enter' && place > none) choose(offered[place]!.productId)
    else if (event.key === 'Escape') setIsOpen(false)
    else return
    // Neither the form nor the panel takes the key.
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <TextInput
      {...input}
      value={value}
      autoComplete="off"
      spellCheck={false}
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={offered.length > 0}
      aria-controls={list}
      aria-activedescendant={place > none && offered.length > 0 ? `${list}-${place}` : undefined}
      onChange={(event) => {
        onChange(event.currentTarget.value)
        setIsOpen(true)
        setPlace(none)
      }}
      onKeyDown={press}
      onBlur={() => setIsOpen(false)}
      inputContainer={(field) => (
        <div className={classes.frame}>
          {field}
          <div id={list} role="listbox" aria-label="Products" className={classes.list} hidden={offered.length === 0}>
            {offered.map(({ productId, title }, at) => (
              <div
                key={productId}
                id={`${list}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === place}
                className={classes.option}
                // The field keeps the focus.
                onPointerDown={(event) => {
                  event.preventDefault()
                  choose(productId)
                }}
              >
                <span>{title}</span>
                <code>{productId}</code>
              </div>
            ))}
          </div>
        </div>
      )}
    />
  )
}
