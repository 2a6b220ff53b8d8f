import type { TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useFoundProducts } from '../../../shell/palette/found-products.ts'
import { usePlace } from '../../../shell/place.ts'
import { ChoosingField } from '../../../ui/form/choosing-field.tsx'
import { chosenIn, lastOf } from './product-choice.ts'

interface ProductInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  onChange: (value: string) => void
  /** Whether it takes several ids, with commas between them. */
  many?: boolean
}

/** Takes the id of a product, and finds it by the words of its title. Whoever knows the id types it. */
export function ProductInput({ value, onChange, many = false, ...input }: ProductInputProps) {
  const { project } = usePlace()
  const [isOpen, setOpen] = useState(false)
  const typed = lastOf(value, many)
  const { products } = useFoundProducts(project.id, isOpen ? typed : '')
  return (
    <ChoosingField
      {...input}
      value={value}
      onType={(text) => {
        onChange(text)
        setOpen(true)
      }}
      isOpen={isOpen}
      setOpen={setOpen}
      listName="Products"
      offered={isOpen ? products.filter(({ productId }) => productId !== typed) : []}
      keyOf={({ productId }) => productId}
      show={({ productId, title }) => (
        <>
          <span>{title}</span>
          <code>{productId}</code>
        </>
      )}
      onChoose={({ productId }) => onChange(chosenIn(value, productId, many))}
    />
  )
}
