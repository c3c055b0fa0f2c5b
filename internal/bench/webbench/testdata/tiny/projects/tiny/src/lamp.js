const button = document.querySelector('button')
const turn = () => { button.textContent = button.textContent === 'on' ? 'off' : 'on' }
button.onclick = () => setTimeout(turn, 300)
