import { useState } from 'react'

enum Step { Name, Done }

export function Sign() {
  const [step, setStep] = useState(Step.Name)
  return (
    <main className="p-8">
      <h2 className="text-xl">Walk with us</h2>
      <form className="sheet mt-4 max-w-sm space-y-3" onSubmit={(e) => { e.preventDefault(); setStep(Step.Done) }}>
        <input className="form-input w-full" placeholder="Your name" />
        <label className="flex items-center gap-2"><input type="checkbox" className="form-checkbox" defaultChecked /> Send the newsletter</label>
        <button className="rounded bg-moss-600 px-4 py-2 text-white">{step === Step.Done ? 'Thank you' : 'Send'}</button>
      </form>
    </main>
  )
}
