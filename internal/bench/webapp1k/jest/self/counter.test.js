import React from 'react';
import { render, screen, act, fireEvent } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import fetchMock from 'fetch-mock';
import '@testing-library/jest-dom';
import App from './counter';

afterEach(() => fetchMock.restore());

const press = async () => {
  await act(async () => { render(<MemoryRouter><App /></MemoryRouter>); });
  await act(async () => { fireEvent.click(screen.getByText('Keep')); });
};

test('keeps one', async () => {
  fetchMock.post('/kept', { kept: 1 });
  await press();
  expect(screen.getByText('Kept 1')).toBeInTheDocument();
});

test('keeps nothing', async () => {
  fetchMock.post('/kept', 500);
  await press();
  expect(screen.getByText('Kept nothing')).toBeInTheDocument();
});
