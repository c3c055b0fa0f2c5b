import { useState } from 'react';

export default function Counter() {
  const [kept, setKept] = useState(null);
  const keep = async () => {
    const answer = await fetch('/kept', { method: 'POST' });
    setKept(answer.ok ? (await answer.json()).kept : 'nothing');
  };
  return <button onClick={keep}>{kept === null ? 'Keep' : `Kept ${kept}`}</button>;
}
